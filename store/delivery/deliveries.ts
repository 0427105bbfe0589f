import mongoose from 'mongoose';
import { createFairTurns } from '../../concurrency/fair-turns.ts';
import { defineModel } from '../connection/model.ts';
import type { Attempt, DeliveryRow } from '../../domain/delivery/delivery.ts';
import { isDuplicateKey } from '../queries/duplicate-key.ts';
import { insertAll } from '../queries/insert-all.ts';
import { expiryOf } from '../../domain/delivery/retention.ts';
import { storeDate } from '../cluster/clock.ts';
import { shareBodies } from './delivery-bodies.ts';
import { callInIfActive } from './held-services.ts';

/**
 * A delivery's document: its place in the queue, its log, and the dead letter it may become (spec
 * 7.8). A pending one has a `dueAt`, or is held back and has a `heldAt`; others have neither: that
 * is the queue's index.
 */
export type DeliveryDocument = Omit<DeliveryRow, 'createdAt' | 'attempts' | 'held' | 'body'> & {
  /** Absent: stored once for all deliveries of the event (delivery-bodies.ts). */
  body?: string;
  /** Characters of the body; where it is stored once, this row's share of them. */
  size?: number;
  createdAt: Date;
  attempts: (Omit<Attempt, 'at'> & { at: Date })[];
  /** Attempts of the ladder that runs now; a retry by hand begins a new one. */
  tries: number;
  /** Not looked at before this: its next attempt, or later where there was no room for it. */
  dueAt?: Date;
  /** When the ladder wants the next attempt; only where there has been one. */
  retryAt?: Date;
  /**
   * Since when it waits for its service to become active: nobody looks at it meanwhile
   * (docs/decisions/held-deliveries.md).
   */
  heldAt?: Date;
  finishedAt?: Date;
  /** When it is removed; only for those that are done or held back. */
  expiresAt?: Date;
  /**
   * What follows from this attempt for its service is still to be drawn; written with the attempt.
   */
  unjudged?: PendingAttempt;
};

/** An attempt from which something follows that others are told of. */
export interface PendingAttempt {
  /** Which of the logged ones it is: when it was made. */
  attemptAt: Date;
  /** When it was logged, by the store's clock. */
  loggedAt: Date;
  /** The id of the event that tells of it, so that one that is told twice is heard once. */
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
// For what has waited longest.
deliverySchema.index(
  { shard: 1, createdAt: 1, _id: 1 },
  { partialFilterExpression: { dueAt: { $exists: true } } },
);
// For counting them.
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

/** A delivery that is queued. */
export type PendingDelivery = DeliveryDocument & { dueAt: Date; body: string };

/**
 * Queues deliveries; those that are there already are left as they are, so that the same rows can
 * be inserted again. A row is there only if all rows before it are: a reader never sees a later
 * event of a conversation without the earlier one. What is held back is called in where its service
 * has become active since that was decided.
 *
 * Answers those that are due now, where none of the rows was there before; null: others may have
 * dealt with some of them already.
 */
export async function insertDeliveries(rows: DeliveryRow[]): Promise<PendingDelivery[] | null> {
  const fresh = await insertMissing(rows);
  const held = rows.filter((row) => row.held).map(({ service }) => service);
  if (held.length > 0) await callInIfActive([...new Set(held)]);
  return fresh;
}

/** As many tenants queue parts of something large at once. */
const TENANTS_AT_ONCE = 2;
const turns = createFairTurns(TENANTS_AT_ONCE);

/** Queues a part of many deliveries, as `insertDeliveries` does, when the tenant's turn comes. */
export function insertInTurn(rows: DeliveryRow[], tenant: string): Promise<PendingDelivery[] | null> {
  return turns.run(tenant, () => insertDeliveries(rows));
}

async function insertMissing(rows: DeliveryRow[]): Promise<PendingDelivery[] | null> {
  const shared = await shareBodies(rows);
  const sharing = countSharing(rows);
  let missing = rows;
  while (missing.length > 0) {
    const documents = missing.map(documentOf);
    const stored = documents.map(({ body, ...row }) => {
      if (!shared.has(row.eventId)) return { ...row, body, size: body.length };
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

/** Counts the rows of each event. */
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

function documentOf({ held, ...row }: DeliveryRow): DeliveryDocument & { body: string } {
  const createdAt = new Date(row.createdAt);
  return { ...row, createdAt, attempts: [], tries: 0, ...placeOf(row.status, { createdAt, held }) };
}

function placeOf(
  status: DeliveryRow['status'],
  { createdAt, held }: { createdAt: Date; held: true | undefined },
): Partial<DeliveryDocument> {
  if (status !== 'pending') return { finishedAt: createdAt, expiresAt: expiryOf(createdAt) };
  // At once, also where the event was given its time by a clock that is fast.
  const now = storeDate();
  return held ? { heldAt: now, expiresAt: expiryOf(now) } : { dueAt: earlier(createdAt, now) };
}
