import mongoose from 'mongoose';
import { FairScheduler } from '../../platform/concurrency/fair-scheduler.ts';
import { defineModel } from '../connection/model.ts';
import type { Attempt, DeliveryRow } from '../../domain/delivery/delivery.ts';
import { isDuplicateKey, insertAll } from '../queries/insert.ts';
import { computeExpiry } from '../../domain/delivery/delivery.ts';
import { storeDate } from '../cluster/clock.ts';
import { shareBodies, withBodies } from './delivery-bodies.ts';
import { markForRelease, serviceModel } from './services.ts';
import type { FailingService } from '../../domain/delivery/drain-report.ts';
import type { ServiceDocument } from './services.ts';
import { findPage } from '../queries/listing.ts';
import type { ListQuery, Page } from '../queries/listing.ts';
import { organizationsWithin, visibleOrNull } from '../queries/reach.ts';
import type { Reach } from '../queries/reach.ts';

/**
 * Queue entry, log entry and dead letter (spec 7.8). A pending delivery has `dueAt` or, if held,
 * `heldAt`. Others have neither, so partial indexes contain only the queue.
 */
export type DeliveryDocument = Omit<DeliveryRow, 'createdAt' | 'attempts' | 'held' | 'body'> & {
  /** Absent if stored once for the event (delivery-bodies.ts). */
  body?: string;
  /** Characters of the body. For a shared body, this delivery's part of them. */
  size: number;
  createdAt: Date;
  attempts: (Omit<Attempt, 'at'> & { at: Date })[];
  /** Attempts in the current retry schedule. A manual retry restarts it. */
  tries: number;
  /** Not polled before this time. */
  dueAt?: Date;
  /** Next attempt by the retry schedule. */
  retryAt?: Date;
  /** Held deliveries are not polled (docs/decisions/held-deliveries.md). */
  heldAt?: Date;
  finishedAt?: Date;
  /** Only set if the delivery is finished or held. */
  expiresAt?: Date;
  /** Outcome to apply to the service, written with the attempt. */
  unjudged?: PendingAttempt;
};

export interface PendingAttempt {
  /** Time of the attempt in `attempts`. */
  attemptAt: Date;
  /** By the store's clock. */
  loggedAt: Date;
  /** Event about the outcome. Publishing it twice delivers it once. */
  eventId: string;
}

const { Mixed } = mongoose.Schema.Types;

const deliverySchema = new mongoose.Schema<DeliveryDocument>(
  {
    _id: String,
    event: String,
    eventId: String,
    service: String,
    organization: String,
    conversation: String,
    lane: String,
    shard: Number,
    pace: String,
    sequence: Number,
    status: String,
    body: String,
    size: Number,
    createdAt: Date,
    attempts: [Mixed],
    tries: Number,
    dueAt: Date,
    retryAt: Date,
    heldAt: Date,
    finishedAt: Date,
    expiresAt: Date,
    trace: String,
    unjudged: Mixed,
  },
  { collection: 'deliveries', versionKey: false, minimize: false, strict: true },
);

deliverySchema.index(
  { pace: 1, shard: 1, dueAt: 1 },
  { partialFilterExpression: { dueAt: { $exists: true } } },
);
// For the oldest pending delivery.
deliverySchema.index(
  { shard: 1, createdAt: 1, _id: 1 },
  { partialFilterExpression: { dueAt: { $exists: true } } },
);
// For counting held deliveries.
deliverySchema.index({ shard: 1, heldAt: 1 }, { partialFilterExpression: { heldAt: { $exists: true } } });
deliverySchema.index(
  { shard: 1, 'unjudged.loggedAt': 1 },
  { partialFilterExpression: { 'unjudged.loggedAt': { $exists: true } } },
);
deliverySchema.index({ lane: 1, status: 1, sequence: 1, _id: 1 });
deliverySchema.index({ service: 1, status: 1, createdAt: 1, _id: 1 });
deliverySchema.index({ organization: 1, createdAt: 1, _id: 1 });
deliverySchema.index({ conversation: 1 });
deliverySchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const deliveryModel = defineModel<DeliveryDocument>('Delivery', deliverySchema);

export type PendingDelivery = DeliveryDocument & { dueAt: Date; body: string };

/**
 * Skips existing deliveries, so that the call can be repeated. Inserts in order: a reader never
 * sees a later event of a conversation without the earlier one. Marks services for release that
 * became active after their deliveries were held.
 *
 * Returns null if rows existed before: another process may have sent some of them.
 */
export async function insertDeliveries(rows: DeliveryRow[]): Promise<PendingDelivery[] | null> {
  const fresh = await insertMissing(rows);
  const held = rows.filter((row) => row.held).map(({ service }) => service);
  if (held.length > 0) await markForRelease([...new Set(held)]);
  return fresh;
}

/** Of two tenants at once. */
const turns = new FairScheduler({ max: 2, maxEach: 1 });

/** Calls `insertDeliveries` in the tenant's turn. */
export function insertInTurn(rows: DeliveryRow[], tenant: string): Promise<PendingDelivery[] | null> {
  return turns.run(['all', tenant], () => insertDeliveries(rows));
}

async function insertMissing(rows: DeliveryRow[]): Promise<PendingDelivery[] | null> {
  const shared = await shareBodies(rows);
  const sharing = countSharing(rows);
  let missing = rows;
  while (missing.length > 0) {
    const documents = missing.map(toDocument);
    const stored = documents.map(({ body, ...row }) => {
      if (!shared.has(row.eventId)) return { ...row, body };
      return { ...row, size: Math.ceil(body.length / (sharing.get(row.eventId) ?? 1)) };
    });
    try {
      await insertAll(deliveryModel.collection, stored, { ordered: true });
      return missing === rows ? documents.filter(isPending) : null;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      missing = await withoutStored(missing);
    }
  }
  return null;
}

function countSharing(rows: readonly DeliveryRow[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { eventId } of rows) counts.set(eventId, (counts.get(eventId) ?? 0) + 1);
  return counts;
}

function isPending(document: DeliveryDocument & { body: string }): document is PendingDelivery {
  return document.dueAt !== undefined;
}

async function withoutStored(rows: DeliveryRow[]): Promise<DeliveryRow[]> {
  const ids = rows.map(({ _id }) => _id);
  const stored = await deliveryModel.find({ _id: { $in: ids } }, { _id: 1 }).lean<{ _id: string }[]>();
  const known = new Set(stored.map(({ _id }) => _id));
  return rows.filter(({ _id }) => !known.has(_id));
}

function earlier(a: Date, b: Date): Date {
  return a < b ? a : b;
}

function toDocument({ held, ...row }: DeliveryRow): DeliveryDocument & { body: string } {
  const createdAt = new Date(row.createdAt);
  const place = queueFields(row.status, { createdAt, held });
  return { ...row, size: row.body.length, createdAt, attempts: [], tries: 0, ...place };
}

function queueFields(
  status: DeliveryRow['status'],
  { createdAt, held }: { createdAt: Date; held: true | undefined },
): Partial<DeliveryDocument> {
  if (status !== 'pending') return { finishedAt: createdAt, expiresAt: computeExpiry(createdAt) };
  // Due now, even if the event's clock runs ahead.
  const now = storeDate();
  return held ? { heldAt: now, expiresAt: computeExpiry(now) } : { dueAt: earlier(createdAt, now) };
}

/** Adds name, status and host, not the whole url. Leaves out deleted services. */
export async function describeFailing(failing: FailingService[]): Promise<FailingService[]> {
  if (failing.length === 0) return [];
  const found = await serviceModel
    .find(
      { _id: { $in: failing.map(({ service }) => service) } },
      { name: 1, status: 1, failingSince: 1, 'params.url': 1 },
    )
    .lean<ServiceDocument[]>();
  const services = new Map(found.map((service) => [service._id, service]));
  return failing.flatMap((one) => {
    const service = services.get(one.service);
    return service ? [{ ...one, ...toFailingService(service) }] : [];
  });
}

function toFailingService({ name, status, failingSince, params }: ServiceDocument): Partial<FailingService> {
  return {
    name,
    ...(URL.canParse(params.url) ? { host: new URL(params.url).host } : {}),
    ...(failingSince ? { since: failingSince.toISOString() } : {}),
    ...(status === 'disabled' ? { disabled: true } : {}),
  };
}

export async function findDelivery(reach: Reach, id: string): Promise<DeliveryDocument | null> {
  return visibleOrNull(reach, await findWholeDelivery(id));
}

/** Includes the body. Does not check the reach. */
export async function findWholeDelivery(id: string): Promise<DeliveryDocument | null> {
  const found = await deliveryModel.findById(id).lean<DeliveryDocument>();
  const [whole] = await withBodies(found ? [found] : []);
  return whole ?? null;
}

export async function hasDeliveries(eventId: string): Promise<boolean> {
  const ids = { $gte: `${eventId}:`, $lt: `${eventId};` };
  return (await deliveryModel.exists({ _id: ids })) !== null;
}

/** Lists leave out the bodies, which make up most of a delivery. */
const HIDDEN = { body: 0, 'attempts.response': 0 } as const;

export type ListedDelivery = Omit<DeliveryDocument, 'body'>;

export async function listDeliveries(reach: Reach, query: ListQuery): Promise<Page<ListedDelivery>> {
  const scope = { organization: { $in: await organizationsWithin(reach) } };
  return findPage(deliveryModel, scope, { ...query, hidden: HIDDEN });
}
