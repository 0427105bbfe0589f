import type { Pace, DeliveryStatus } from '../../domain/delivery/delivery.ts';
import { storeDate } from '../cluster/clock.ts';
import { deliveryModel, findWholeDelivery, withBodies } from './deliveries.ts';
import type { DeliveryDocument } from './deliveries.ts';
import { computeExpiry } from '../../domain/delivery/delivery.ts';

export type DueDelivery = Pick<DeliveryDocument, '_id' | 'lane' | 'service' | 'organization' | 'shard'>;

export type QueuedDelivery = Pick<
  DeliveryDocument,
  | '_id'
  | 'event'
  | 'eventId'
  | 'conversation'
  | 'lane'
  | 'service'
  | 'sequence'
  | 'tries'
  | 'trace'
  | 'createdAt'
  | 'direction'
  | 'resent'
  | 'sending'
> & {
  body: string;
  /** Absent for a held delivery. */
  dueAt?: Date;
  retryAt?: Date;
};

const NO_LONGER_WAITING = { retryAt: '', heldAt: '', expiresAt: '' } as const;

const DUE_FIELDS = { lane: 1, service: 1, organization: 1, shard: 1 };

/** The cost depends on `limit`, not on the number of waiting deliveries. */
export async function findDue(
  { pace, shards, limit }: { pace: Pace; shards: readonly number[]; limit: number },
  now: Date,
): Promise<DueDelivery[]> {
  return deliveryModel.collection
    .find<DueDelivery>(
      { pace, shard: { $in: [...shards] }, dueAt: { $lte: now } },
      { projection: DUE_FIELDS, limit, batchSize: limit },
    )
    .toArray();
}

const LANE_FIELDS = {
  event: 1,
  eventId: 1,
  conversation: 1,
  lane: 1,
  service: 1,
  sequence: 1,
  body: 1,
  tries: 1,
  dueAt: 1,
  retryAt: 1,
  trace: 1,
  createdAt: 1,
  direction: 1,
  resent: 1,
  sending: 1,
};

/** Returns the first pending deliveries. Deliveries without a stored body become `skipped`. */
export async function findLane(lane: string, limit: number): Promise<QueuedDelivery[]> {
  for (;;) {
    const found = await deliveryModel.collection
      .find<FoundRow>(
        { lane, status: 'pending' },
        { projection: LANE_FIELDS, sort: { sequence: 1, _id: 1 }, limit, batchSize: limit },
      )
      .toArray();
    const rows = await withBodies(found);
    const incomplete = rows.filter((row) => !hasBody(row));
    if (incomplete.length === 0) return rows.filter(hasBody);
    await deliveryModel.collection.updateMany(
      { _id: { $in: incomplete.map(({ _id }) => _id) }, status: 'pending' },
      skipUpdate(storeDate()),
    );
  }
}

type FoundRow = Omit<QueuedDelivery, 'body'> & { body?: string };

function hasBody(row: FoundRow): row is QueuedDelivery {
  return row.body !== undefined;
}

export type WaitingDelivery = DueDelivery & Pick<DeliveryDocument, 'createdAt' | 'retryAt'>;

/** Returns pending deliveries, held or not, oldest first. */
export async function findWaitingDeliveries(
  service: string,
  { after, limit }: { after?: Pick<WaitingDelivery, '_id' | 'createdAt'> | undefined; limit: number },
): Promise<WaitingDelivery[]> {
  const behind = after && {
    createdAt: { $gte: after.createdAt },
    $or: [{ createdAt: { $gt: after.createdAt } }, { _id: { $gt: after._id } }],
  };
  return deliveryModel.collection
    .find<WaitingDelivery>(
      { service, status: 'pending', ...behind },
      {
        projection: { ...DUE_FIELDS, createdAt: 1, retryAt: 1 },
        ...{ sort: { createdAt: 1, _id: 1 }, limit, batchSize: limit },
      },
    )
    .toArray();
}

export async function deferDeliveries(ids: readonly string[], until: Date): Promise<void> {
  await deliveryModel.collection.updateMany(
    { _id: { $in: [...ids] }, status: 'pending' },
    { $set: { dueAt: until, pace: 'patient' } },
  );
}

/**
 * Defers the lane's other due deliveries. `loaded` are the lane's first deliveries in order, which
 * stay due.
 */
export async function deferLane(
  loaded: readonly [QueuedDelivery, ...QueuedDelivery[]],
  { now, until }: { now: Date; until: Date },
): Promise<void> {
  const [{ lane, sequence }] = loaded;
  await deliveryModel.collection.updateMany(
    {
      lane,
      status: 'pending',
      sequence: { $gte: sequence },
      dueAt: { $lte: now },
      _id: { $nin: loaded.map(({ _id }) => _id) },
    },
    { $set: { dueAt: until, pace: 'patient' } },
  );
}

export async function wakeDelivery(id: string, now: Date): Promise<void> {
  await deliveryModel.collection.updateOne(
    { _id: id, status: 'pending' },
    { $set: { dueAt: now }, $unset: NO_LONGER_WAITING },
  );
}

/** Holds the lane's pending deliveries until `releaseDeliveries`. `findLane` still reads them. */
export async function holdLane(lane: string, now: Date): Promise<void> {
  await deliveryModel.collection.updateMany(
    { lane, status: 'pending', heldAt: { $exists: false } },
    { $set: { heldAt: now, expiresAt: computeExpiry(now) }, $unset: { dueAt: '', retryAt: '' } },
  );
}

/** Makes held deliveries and deliveries in backoff due at `dueAt`. */
export async function releaseDeliveries(ids: readonly string[], dueAt: Date): Promise<void> {
  await deliveryModel.collection.updateMany(
    {
      _id: { $in: [...ids] },
      status: 'pending',
      $or: [{ heldAt: { $exists: true } }, { retryAt: { $exists: true } }],
    },
    { $set: { dueAt, pace: 'patient' }, $unset: NO_LONGER_WAITING },
  );
}

/** Skips pending deliveries (spec 7.8). `withPosts`: also received ones. */
export async function skipService(
  service: string,
  { withPosts, now }: { withPosts: boolean; now: Date },
): Promise<void> {
  const skipped = withPosts ? {} : ({ direction: { $ne: 'in' } } as const);
  await deliveryModel.collection.updateMany({ service, status: 'pending', ...skipped }, skipUpdate(now));
}

/** Returns pending deliveries of messages that a channel carries, held or not. */
export async function findCarriedDeliveries(
  service: string,
  limit: number,
): Promise<Pick<DeliveryDocument, '_id' | 'body'>[]> {
  const found = await deliveryModel.collection
    .find<Pick<DeliveryDocument, '_id' | 'eventId' | 'body'>>(
      { service, status: 'pending', carried: true },
      { projection: { eventId: 1, body: 1 }, limit, batchSize: limit },
    )
    .toArray();
  return withBodies(found);
}

export async function skipDeliveries(ids: readonly string[], now: Date): Promise<void> {
  await deliveryModel.collection.updateMany({ _id: { $in: [...ids] }, status: 'pending' }, skipUpdate(now));
}

/** Makes the held deliveries of a deleted service due, so that a worker skips them. */
export async function releaseDeleted(service: string, now: Date): Promise<void> {
  await deliveryModel.collection.updateMany(
    { service, status: 'pending', heldAt: { $exists: true } },
    { $set: { dueAt: now, pace: 'patient' }, $unset: NO_LONGER_WAITING },
  );
}

function skipUpdate(now: Date) {
  return {
    $set: { status: 'skipped', finishedAt: now, expiresAt: computeExpiry(now) },
    $unset: { dueAt: '', retryAt: '', heldAt: '' },
  } as const;
}

const BATCH = 500;

/** Restarts the retry schedule, but keeps the log. */
function resendUpdate(now: Date) {
  return {
    $set: { status: 'pending', tries: 0, dueAt: now, pace: 'prompt', resent: true },
    $unset: { finishedAt: '', expiresAt: '', retryAt: '' },
  } as const;
}

/** Makes a delivery due, without backoff. An attempt in progress counts as the new attempt. */
export async function redeliver(id: string, now: Date): Promise<DeliveryDocument | null> {
  await wakeDelivery(id, now);
  await deliveryModel.collection.updateOne({ _id: id, status: { $ne: 'pending' } }, resendUpdate(now));
  return findWholeDelivery(id);
}

/** Redelivers in the order of events. Returns the number of deliveries. */
export async function redeliverAll(
  service: string,
  { since, statuses }: { since: Date; statuses: readonly Exclude<DeliveryStatus, 'pending'>[] },
  now: Date,
): Promise<number> {
  const rows = await deliveryModel.collection
    .find<Pick<DeliveryDocument, '_id' | 'sequence'>>(
      { service, status: { $in: [...statuses] }, createdAt: { $gte: since } },
      { projection: { lane: 1, sequence: 1 } },
    )
    .toArray();
  rows.sort((a, b) => a.sequence - b.sequence);
  let count = 0;
  for (let at = 0; at < rows.length; at += BATCH) {
    const writes = rows.slice(at, at + BATCH).map(({ _id }) => ({
      updateOne: { filter: { _id, status: { $ne: 'pending' as const } }, update: resendUpdate(now) },
    }));
    count += (await deliveryModel.collection.bulkWrite(writes, { ordered: true })).modifiedCount;
  }
  return count;
}

export async function countPendingSince(service: string, since: Date): Promise<number> {
  return deliveryModel.collection.countDocuments({ service, status: 'pending', createdAt: { $gte: since } });
}
