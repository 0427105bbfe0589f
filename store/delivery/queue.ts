import type { Pace, DeliveryStatus } from '../../domain/delivery/delivery.ts';
import { storeDate } from '../cluster/clock.ts';
import { withBodies } from './delivery-bodies.ts';
import { deliveryModel, findWholeDelivery } from './deliveries.ts';
import type { DeliveryDocument } from './deliveries.ts';
import { computeExpiry } from '../../domain/delivery/delivery.ts';

/** A delivery that wants to be looked at. */
export type DueDelivery = Pick<DeliveryDocument, '_id' | 'lane' | 'service' | 'organization' | 'shard'>;

/** A delivery in its lane, with all that sending it takes. */
export type QueuedDelivery = Pick<
  DeliveryDocument,
  '_id' | 'event' | 'eventId' | 'conversation' | 'lane' | 'service' | 'sequence' | 'tries' | 'trace'
> & {
  body: string;
  /** Absent: held back. */
  dueAt?: Date;
  retryAt?: Date;
};

/** What to look for. */
export interface DueQuery {
  pace: Pace;
  shards: readonly number[];
  limit: number;
}

/** What is taken from a delivery that is to be looked at again. */
const NO_LONGER_WAITING = { retryAt: '', heldAt: '', expiresAt: '' } as const;

const DUE_FIELDS = { lane: 1, service: 1, organization: 1, shard: 1 };

/** Deliveries whose time has come, in no particular order. Costs no more when many others wait. */
export async function findDue({ pace, shards, limit }: DueQuery, now: Date): Promise<DueDelivery[]> {
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
};

/**
 * The first undelivered rows of a lane, in order. Rows whose body is not kept any more are skipped.
 */
export async function findLane(lane: string, limit: number): Promise<QueuedDelivery[]> {
  for (;;) {
    const rows = await withBodies(await findRows(lane, limit));
    const complete = rows.filter(hasBody);
    if (complete.length === rows.length) return complete;
    await skipDeliveries(rows.filter((row) => !hasBody(row)).map(({ _id }) => _id));
  }
}

type FoundRow = Omit<QueuedDelivery, 'body'> & { body?: string };

function hasBody(row: FoundRow): row is QueuedDelivery {
  return row.body !== undefined;
}

function findRows(lane: string, limit: number): Promise<FoundRow[]> {
  return deliveryModel.collection
    .find<FoundRow>(
      { lane, status: 'pending' },
      {
        projection: LANE_FIELDS,
        sort: { sequence: 1, _id: 1 },
        limit,
        batchSize: limit,
      },
    )
    .toArray();
}

/** A delivery on the way through all that waits for a service. */
export type WaitingDelivery = DueDelivery & Pick<DeliveryDocument, 'createdAt' | 'retryAt'>;

/**
 * The next of all that waits for a service, out of sight or not, behind `after`: the oldest first.
 */
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
        sort: { createdAt: 1, _id: 1 },
        limit,
        batchSize: limit,
      },
    )
    .toArray();
}

/** Takes due deliveries out of sight until then. */
export async function deferDeliveries(ids: readonly string[], until: Date): Promise<void> {
  await deliveryModel.collection.updateMany(
    { _id: { $in: [...ids] }, status: 'pending' },
    { $set: { dueAt: until, pace: 'patient' } },
  );
}

/**
 * Takes what is due in a lane behind the first of `loaded` out of sight until then, but for these
 * themselves.
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

/** Makes one delivery due now. */
export async function wakeDelivery(id: string, now: Date): Promise<void> {
  await deliveryModel.collection.updateOne(
    { _id: id, status: 'pending' },
    { $set: { dueAt: now }, $unset: NO_LONGER_WAITING },
  );
}

/**
 * Holds all back that is pending in a lane, kept 30 days: its service is not active. Nobody looks
 * at it until `releaseDeliveries`, but for whoever works on the lane.
 */
export async function holdLane(lane: string, now: Date): Promise<void> {
  await deliveryModel.collection.updateMany(
    { lane, status: 'pending', heldAt: { $exists: false } },
    { $set: { heldAt: now, expiresAt: computeExpiry(now) }, $unset: { dueAt: '', retryAt: '' } },
  );
}

/**
 * Brings deliveries of a service that is active again into sight at `dueAt`; none waits for what
 * the ladder planned before.
 */
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

/** Gives up what waits for a service that is disabled or gone: kept as `skipped` (spec 7.8). */
export async function skipService(service: string, now: Date): Promise<void> {
  await deliveryModel.collection.updateMany({ service, status: 'pending' }, skipUpdate(now));
}

async function skipDeliveries(ids: readonly string[]): Promise<void> {
  await deliveryModel.collection.updateMany(
    { _id: { $in: [...ids] }, status: 'pending' },
    skipUpdate(storeDate()),
  );
}

function skipUpdate(now: Date) {
  return {
    $set: { status: 'skipped', finishedAt: now, expiresAt: computeExpiry(now) },
    $unset: { dueAt: '', retryAt: '', heldAt: '' },
  } as const;
}

/** Deliveries that are made pending again in one write. */
const BATCH = 500;

/** What a delivery becomes that shall be sent again: its ladder begins anew, its log goes on. */
function resendUpdate(now: Date) {
  const set: Partial<DeliveryDocument> = {
    status: 'pending',
    tries: 0,
    dueAt: now,
    pace: 'prompt',
  };
  return { $set: set, $unset: { finishedAt: '', expiresAt: '', retryAt: '' } as const };
}

/**
 * Has a delivery sent again, what was stored as it was stored. It only becomes due: whoever drains
 * its lane sends it in its turn, so that it is never sent twice at the same moment. One that waits
 * for its next attempt no longer waits; one that is being sent right now counts as
 * sent again. Returns the delivery as it is then.
 */
export async function redeliver(id: string, now: Date): Promise<DeliveryDocument | null> {
  await wakeDelivery(id, now);
  await deliveryModel.collection.updateOne({ _id: id, status: { $ne: 'pending' } }, resendUpdate(now));
  return findWholeDelivery(id);
}

interface ReplaySelection {
  since: Date;
  statuses: readonly Exclude<DeliveryStatus, 'pending'>[];
}

/**
 * Has everything sent again that a service was to get since then and that is done in one of these
 * ways. Answers how many. Earlier events become pending before later ones, so that a conversation's
 * keep their order whenever the drain looks.
 */
export async function redeliverAll(
  service: string,
  { since, statuses }: ReplaySelection,
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

/** How many deliveries to a service are pending of what happened since then. */
export async function countPendingSince(service: string, since: Date): Promise<number> {
  return deliveryModel.collection.countDocuments({ service, status: 'pending', createdAt: { $gte: since } });
}
