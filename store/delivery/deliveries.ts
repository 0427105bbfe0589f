import mongoose from 'mongoose';
import { FairScheduler } from '../../platform/concurrency/fair-scheduler.ts';
import { defineModel } from '../connection/model.ts';
import type { Attempt, DeliveryRow } from '../../domain/delivery/delivery.ts';
import { insertAll, insertMissing, isDuplicateKey } from '../queries/insert.ts';
import { computeExpiry } from '../../domain/delivery/delivery.ts';
import { storeDate, storeNow } from '../cluster/clock.ts';
import { findSharedBodies } from '../../domain/delivery/delivery-bounds.ts';
import { definedFields } from '../../domain/record-fields.ts';
import type { SendingNote } from '../../domain/channels/outcome.ts';
import { markForRelease } from './services.ts';
import { findPage } from '../queries/listing.ts';
import type { ListQuery, Page } from '../queries/listing.ts';
import { organizationsWithin, visibleOrNull } from '../queries/reach.ts';
import type { Reach } from '../queries/reach.ts';

/**
 * Queue entry, log entry and dead letter (spec 7.8). Only a pending delivery has `dueAt` or
 * `heldAt`: partial indexes contain only the queue.
 */
export type DeliveryDocument = Omit<DeliveryRow, 'createdAt' | 'attempts' | 'held' | 'body'> & {
  /** Absent if `deliverybodies` stores it once for the event. */
  body?: string;
  /** Characters of the body, divided by the deliveries that share it. */
  size: number;
  createdAt: Date;
  attempts: (Omit<Attempt, 'at'> & { at: Date })[];
  /** Attempts in the current retry schedule. Reset to 0 when a finished delivery is sent again. */
  tries: number;
  /** Not polled before this time. */
  dueAt?: Date;
  /** Time of the next attempt by the retry schedule. */
  retryAt?: Date;
  /** Start of the hold (docs/decisions/held-deliveries.md). */
  heldAt?: Date;
  finishedAt?: Date;
  expiresAt?: Date;
  /** Set once a finished delivery is sent again. */
  resent?: true;
  sending?: SendingNote;
  /** Outcome to apply to the service. */
  unjudged?: PendingAttempt;
};

export interface PendingAttempt {
  attemptAt: Date;
  loggedAt: Date;
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
    direction: String,
    carried: Boolean,
    resent: Boolean,
    sending: Mixed,
    unjudged: Mixed,
  },
  { collection: 'deliveries', versionKey: false, minimize: false, strict: true },
);

deliverySchema.index(
  { pace: 1, shard: 1, dueAt: 1 },
  { partialFilterExpression: { dueAt: { $exists: true } } },
);
// For `findOldestPending`.
deliverySchema.index(
  { shard: 1, createdAt: 1, _id: 1 },
  { partialFilterExpression: { dueAt: { $exists: true } } },
);
// For `countHeld`.
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
 * Inserts missing deliveries in order: a reader never sees a later event of a conversation without
 * the earlier event. Marks a service for release if it became active after its deliveries were
 * held. Returns null if rows existed before, because another process may have sent these rows.
 */
export async function insertDeliveries(rows: DeliveryRow[]): Promise<PendingDelivery[] | null> {
  const fresh = await insertRows(rows);
  const held = rows.filter((row) => row.held).map(({ service }) => service);
  if (held.length > 0) await markForRelease([...new Set(held)]);
  return fresh;
}

const turns = new FairScheduler({ max: 2, maxEach: 1 });

export function insertInTurn(rows: DeliveryRow[], tenant: string): Promise<PendingDelivery[] | null> {
  return turns.run(['all', tenant], () => insertDeliveries(rows));
}

async function insertRows(rows: DeliveryRow[]): Promise<PendingDelivery[] | null> {
  const shared = await shareBodies(rows);
  let missing = rows;
  while (missing.length > 0) {
    const documents = missing.map(toDocument);
    const stored = documents.map(({ body, ...row }) => {
      const sharing = shared.get(row.eventId);
      return sharing ? { ...row, size: Math.ceil(body.length / sharing) } : { ...row, body };
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

function isPending(document: DeliveryDocument & { body: string }): document is PendingDelivery {
  return document.dueAt !== undefined;
}

async function withoutStored(rows: DeliveryRow[]): Promise<DeliveryRow[]> {
  const ids = rows.map(({ _id }) => _id);
  const stored = await deliveryModel.find({ _id: { $in: ids } }, { _id: 1 }).lean<{ _id: string }[]>();
  const known = new Set(stored.map(({ _id }) => _id));
  return rows.filter(({ _id }) => !known.has(_id));
}

function toDocument({ held, ...row }: DeliveryRow): DeliveryDocument & { body: string } {
  const createdAt = new Date(row.createdAt);
  const document = { ...row, size: row.body.length, createdAt, attempts: [], tries: 0 };
  if (row.status !== 'pending') {
    return { ...document, finishedAt: createdAt, expiresAt: computeExpiry(createdAt) };
  }
  const now = storeDate();
  if (held) return { ...document, heldAt: now, expiresAt: computeExpiry(now) };
  // Due now, even if the event's time is ahead of the store's clock.
  return { ...document, dueAt: createdAt < now ? createdAt : now };
}

export async function isDeliveryStored(id: string): Promise<boolean> {
  return (await deliveryModel.exists({ _id: id })) !== null;
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

export type ListedDelivery = Omit<DeliveryDocument, 'body'>;

/** Leaves out bodies and responses, which make up most of a delivery. */
export async function listDeliveries(reach: Reach, query: ListQuery): Promise<Page<ListedDelivery>> {
  const scope = { organization: { $in: await organizationsWithin(reach) } };
  return findPage(deliveryModel, scope, { ...query, hidden: { body: 0, 'attempts.response': 0 } });
}

interface DeliveryBodyDocument {
  _id: string;
  body: string;
  conversation?: string;
  /** Time to check whether a delivery refers to the body. */
  checkAt: Date;
}

const deliveryBodySchema = new mongoose.Schema<DeliveryBodyDocument>(
  { _id: String, body: String, conversation: String, checkAt: Date },
  { collection: 'deliverybodies', versionKey: false, strict: true },
);

deliveryBodySchema.index({ conversation: 1 });
deliveryBodySchema.index({ checkAt: 1 });

const deliveryBodyModel = defineModel<DeliveryBodyDocument>('DeliveryBody', deliveryBodySchema);

const DAY_MS = 24 * 3600 * 1000;

/** Stores shared bodies. Returns the number of deliveries that share each body, by event id. */
async function shareBodies(rows: readonly DeliveryRow[]): Promise<ReadonlyMap<string, number>> {
  const shared = findSharedBodies(rows);
  const checkAt = new Date(storeNow() + DAY_MS);
  await insertMissing(
    deliveryBodyModel.collection,
    shared.map(({ row: { eventId, body, conversation } }) => ({
      ...{ _id: eventId, body, checkAt },
      ...definedFields({ conversation }),
    })),
  );
  return new Map(shared.map(({ row, sharing }) => [row.eventId, sharing]));
}

/** Adds the shared bodies that are still stored. */
export async function withBodies<R extends { eventId: string; body?: string }>(rows: R[]): Promise<R[]> {
  const missing = rows.filter(({ body }) => body === undefined).map(({ eventId }) => eventId);
  if (missing.length === 0) return rows;
  const found = await deliveryBodyModel.collection
    .find({ _id: { $in: [...new Set(missing)] } }, { projection: { body: 1 } })
    .toArray();
  const bodies = new Map(found.map(({ _id, body }) => [_id, body]));
  return rows.map((row) => {
    const body = row.body ?? bodies.get(row.eventId);
    return body === undefined ? row : { ...row, body };
  });
}

export async function removeConversationBodies(
  conversation: string,
  butEvents: readonly string[],
): Promise<void> {
  await deliveryBodyModel.collection.deleteMany({ conversation, _id: { $nin: [...butEvents] } });
}

const CHECKED_AT_ONCE = 200;

/** Removes bodies of events without deliveries. Returns whether more may be due. */
export async function removeUnusedBodies(now: Date): Promise<boolean> {
  const found = await deliveryBodyModel.collection
    .find({ checkAt: { $lte: now } }, { projection: { _id: 1 }, limit: CHECKED_AT_ONCE })
    .toArray();
  const [used, unused]: [string[], string[]] = [[], []];
  for (const { _id } of found) ((await hasDeliveries(_id)) ? used : unused).push(_id);
  if (unused.length > 0) await deliveryBodyModel.collection.deleteMany({ _id: { $in: unused } });
  if (used.length > 0) {
    const checkAt = new Date(now.getTime() + DAY_MS);
    await deliveryBodyModel.collection.updateMany({ _id: { $in: used } }, { $set: { checkAt } });
  }
  return found.length === CHECKED_AT_ONCE;
}

async function hasDeliveries(eventId: string): Promise<boolean> {
  const ids = { $gte: `${eventId}:`, $lt: `${eventId};` };
  return (await deliveryModel.exists({ _id: ids })) !== null;
}
