import mongoose from 'mongoose';
import { MAX_PULLED_PER_LANE, chooseLanes } from '../../domain/delivery/pull.ts';
import { storeDate, storeNow } from '../cluster/clock.ts';
import { defineModel } from '../connection/model.ts';
import { newId } from '../queries/identifier.ts';
import { isDuplicateKey } from '../queries/insert.ts';
import { recordAttempts } from './attempts.ts';
import { deliveryModel } from './deliveries.ts';
import type { DeliveryDocument } from './deliveries.ts';
import { addAttempts } from './metrics.ts';
import { findLane, findWaitingDeliveries } from './queue.ts';
import type { QueuedDelivery, WaitingDelivery } from './queue.ts';

/**
 * A lane whose first events were handed to a puller. Until `until`, no other pull receives events
 * of the lane (docs/decisions/pulled-webhooks.md).
 */
interface PulledLaneDocument {
  /** The lane. */
  _id: string;
  service: string;
  /** The pull that owns the lane. */
  claim: string;
  claimedAt: Date;
  until: Date;
  /** Deliveries that are not acknowledged yet. Absent while the pull reads them. */
  handed?: string[];
}

const pulledLaneSchema = new mongoose.Schema<PulledLaneDocument>(
  { _id: String, service: String, claim: String, claimedAt: Date, until: Date, handed: [String] },
  { collection: 'pulledlanes', versionKey: false, strict: true },
);

pulledLaneSchema.index({ service: 1, until: 1 });
pulledLaneSchema.index({ until: 1 }, { expireAfterSeconds: 0 });

const pulledLaneModel = defineModel<PulledLaneDocument>('PulledLane', pulledLaneSchema);

/** With more lanes in flight, a pull returns nothing until some are acknowledged or visible. */
const MAX_IN_FLIGHT = 2_000;
/** A pull reads at most this many pages of waiting deliveries to find lanes that are free. */
const MAX_PAGES = 10;
const PAGE = 1_000;
const LANES_AT_ONCE = 4;
/** Size of a response, unless its first event is larger. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

export interface PulledEvents {
  claim: string;
  rows: QueuedDelivery[];
}

/**
 * Claims the oldest free lanes of a service, and returns their first events, in
 * order within a lane. The events are not returned again before `visibilityMs` have passed.
 */
export async function pullDeliveries(
  service: string,
  { limit, visibilityMs }: { limit: number; visibilityMs: number },
): Promise<PulledEvents> {
  const claim = newId();
  const wanted = await findFreeLanes(service, limit);
  const owned = await claimLanes([...wanted.keys()], { service, claim, visibilityMs });
  const rows = await readLanes(
    [...wanted].filter(([lane]) => owned.has(lane)),
    limit,
  );
  const handed = new Map<string, string[]>();
  for (const { lane, _id } of rows) handed.set(lane, [...(handed.get(lane) ?? []), _id]);
  await noteHanded(claim, handed);
  await releaseClaim(
    claim,
    [...owned].filter((lane) => !handed.has(lane)),
  );
  return { claim, rows };
}

/** Makes lanes visible at once, because no puller has received their events. */
export async function releaseClaim(claim: string, lanes: readonly string[]): Promise<void> {
  if (lanes.length === 0) return;
  await pulledLaneModel.collection.deleteMany({ _id: { $in: [...new Set(lanes)] }, claim });
}

async function findFreeLanes(service: string, limit: number): Promise<Map<string, number>> {
  const claimed = await pulledLaneModel.collection
    .find({ service, until: { $gt: storeDate() } }, { projection: { _id: 1 }, limit: MAX_IN_FLIGHT })
    .toArray();
  if (claimed.length === MAX_IN_FLIGHT) return new Map();
  const inFlight = new Set(claimed.map(({ _id }) => _id));
  const size = Math.min(PAGE, Math.max(2 * limit, MAX_PULLED_PER_LANE));
  let after: WaitingDelivery | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const page = await findWaitingDeliveries(service, { after, limit: size });
    const free = chooseLanes(page, { inFlight, limit });
    if (free.size > 0 || page.length < size) return free;
    after = page.at(-1);
  }
  return new Map();
}

/** Returns the lanes that are claimed now. Another pull may have claimed some of them first. */
async function claimLanes(
  lanes: readonly string[],
  { service, claim, visibilityMs }: { service: string; claim: string; visibilityMs: number },
): Promise<Set<string>> {
  if (lanes.length === 0) return new Set();
  const claimedAt = storeDate();
  const until = new Date(storeNow() + visibilityMs);
  const writes = lanes.map((lane) => ({
    updateOne: {
      filter: { _id: lane, until: { $lte: claimedAt } },
      update: { $set: { service, claim, claimedAt, until }, $unset: { handed: '' } } as const,
      upsert: true,
    },
  }));
  try {
    await pulledLaneModel.collection.bulkWrite(writes, { ordered: false });
  } catch (error) {
    // A lane that is in flight exists, but does not match the filter.
    if (!isDuplicateKey(error)) throw error;
  }
  const owned = await pulledLaneModel.collection
    .find({ _id: { $in: [...lanes] }, claim }, { projection: { _id: 1 } })
    .toArray();
  return new Set(owned.map(({ _id }) => _id));
}

/** Reads after the claim, so that no event that was acknowledged before is handed out again. */
async function readLanes(lanes: readonly [string, number][], limit: number): Promise<QueuedDelivery[]> {
  const rows: QueuedDelivery[] = [];
  let characters = 0;
  for (let at = 0; at < lanes.length; at += LANES_AT_ONCE) {
    const slice = lanes.slice(at, at + LANES_AT_ONCE);
    const found = await Promise.all(slice.map(([lane, count]) => findLane(lane, count)));
    for (const row of found.flat()) {
      characters += row.body.length;
      if (rows.length === limit || (rows.length > 0 && characters > MAX_CHARACTERS)) return rows;
      rows.push(row);
    }
  }
  return rows;
}

async function noteHanded(claim: string, handed: ReadonlyMap<string, string[]>): Promise<void> {
  if (handed.size === 0) return;
  await pulledLaneModel.collection.bulkWrite(
    [...handed].map(([lane, ids]) => ({
      updateOne: { filter: { _id: lane, claim }, update: { $set: { handed: ids } } },
    })),
    { ordered: false },
  );
}

type AcknowledgedRow = Pick<DeliveryDocument, '_id' | 'lane' | 'status' | 'tries'>;

/**
 * Stores the events as delivered. A lane is free again when all its handed events are acknowledged.
 * Repeatable. Returns the number of events that were pending.
 */
export async function acknowledgeDeliveries(service: string, eventIds: readonly string[]): Promise<number> {
  const ids = [...new Set(eventIds)].map((id) => `${id}:${service}`);
  const rows = await deliveryModel.collection
    .find<AcknowledgedRow>({ _id: { $in: ids } }, { projection: { lane: 1, status: 1, tries: 1 } })
    .toArray();
  const lanes = [...new Set(rows.map(({ lane }) => lane))];
  if (lanes.length === 0) return 0;
  const claims = await pulledLaneModel.collection
    .find({ _id: { $in: lanes } }, { projection: { claimedAt: 1 } })
    .toArray();
  const claimedAt = new Map(claims.map((claim) => [claim._id, claim.claimedAt]));
  const acknowledged = await recordAcknowledged(
    rows.filter(({ status }) => status === 'pending'),
    claimedAt,
  );
  await freeLanes(lanes, ids);
  return acknowledged;
}

/** `claimedAt`: by lane. The attempt begins when the event is handed out. */
async function recordAcknowledged(
  rows: readonly AcknowledgedRow[],
  claimedAt: ReadonlyMap<string, Date>,
): Promise<number> {
  if (rows.length === 0) return 0;
  const finishedAt = storeDate();
  const written = await recordAttempts(
    rows.map(({ _id, tries, lane }) => {
      const at = claimedAt.get(lane) ?? finishedAt;
      const durationMs = Math.max(0, finishedAt.getTime() - at.getTime());
      return {
        delivery: { _id, tries },
        attempt: { at: at.toISOString(), durationMs, outcome: 'delivered' },
        end: { status: 'delivered', finishedAt },
      };
    }),
  );
  const count = written.filter(Boolean).length;
  if (count > 0) await addAttempts(new Map([['delivered', count]]));
  return count;
}

async function freeLanes(lanes: readonly string[], ids: readonly string[]): Promise<void> {
  const those = { _id: { $in: [...lanes] } };
  await pulledLaneModel.collection.updateMany(those, { $pull: { handed: { $in: [...ids] } } });
  // A claim whose events are still being read has no `handed`, and stays.
  await pulledLaneModel.collection.deleteMany({ ...those, handed: [] });
}
