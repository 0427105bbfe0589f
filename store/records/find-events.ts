import type { EventPosition, EventSelection } from '../../domain/events/business-event.ts';
import { organizationsWithin } from '../queries/reach.ts';
import { eventModel, sinceYesterday } from './business-events.ts';
import type { EventDocument, EventStatus } from './business-events.ts';

/** See RequestKey. */
interface EventKey {
  digest: string;
  isSenders?: true;
  isDigest?: true;
}

/**
 * Returns the latest event with the key. Finds processed and ignored events only by a key that the
 * sender chose, and by a digest of the body only for 24 hours.
 */
export async function findEventByKey({
  digest: key,
  isSenders,
  isDigest,
}: EventKey): Promise<EventDocument | null> {
  const open: EventStatus[] = ['received', 'failed', 'unrouted'];
  return eventModel
    .findOne({
      key,
      ...(isSenders ? {} : { status: { $in: open } }),
      ...(isDigest ? sinceYesterday() : {}),
    })
    .sort({ _id: -1 })
    .lean<EventDocument>();
}

export async function findLatestFailed(eventtype: string, limit: number): Promise<EventDocument[]> {
  return eventModel
    .find({ eventtype, status: 'failed' })
    .sort({ createdAt: -1, _id: -1 })
    .limit(limit)
    .lean<EventDocument[]>();
}

export async function countUnrouted(user: string): Promise<{ events: number; bytes: number }> {
  const found = await eventModel.collection
    .find({ createdBy: user, status: 'unrouted' }, { projection: { _id: 0, bytes: 1 } })
    .toArray();
  return { events: found.length, bytes: found.reduce((sum, { bytes = 0 }) => sum + bytes, 0) };
}

export interface UnfinishedSearch {
  /** Whether to return the events of timers, or all others. */
  ofTimers: boolean;
  before: Date;
  limit: number;
}

/** Returns events without an outcome, unchanged since `before`, oldest first. */
export async function findUnfinishedEvents({
  ofTimers,
  before,
  limit,
}: UnfinishedSearch): Promise<Pick<EventDocument, '_id' | 'updatedAt'>[]> {
  return eventModel
    .find(
      { status: 'received', updatedAt: { $lt: before }, timer: { $exists: ofTimers } },
      { _id: 1, updatedAt: 1 },
    )
    .sort({ updatedAt: 1 })
    .limit(limit)
    .lean();
}

export async function countSelected(selection: EventSelection): Promise<Map<string, number>> {
  const found = await eventModel.collection
    .find(await buildFilter(selection), { projection: { _id: 0, organization: 1 } })
    .toArray();
  const counts = new Map<string, number>();
  for (const { organization } of found) counts.set(organization, (counts.get(organization) ?? 0) + 1);
  return counts;
}

/** Sorts by arrival. Includes events whose bulk retry was interrupted. */
export async function findSelected(
  selection: EventSelection,
  { after, limit }: { after: EventPosition | undefined; limit: number },
): Promise<EventDocument[]> {
  const behind = after && {
    $or: [
      { createdAt: { $gt: new Date(after.createdAt) } },
      { createdAt: new Date(after.createdAt), _id: { $gt: after.id } },
    ],
  };
  const filter = await buildFilter(selection);
  const begun = { ...filter, status: 'received' as const, queued: true };
  const found = await Promise.all(
    [filter, begun].map((one) =>
      eventModel
        .find({ ...one, ...behind })
        .sort({ createdAt: 1, _id: 1 })
        .limit(limit)
        .lean<EventDocument[]>(),
    ),
  );
  return found.flat().sort(byArrival).slice(0, limit);
}

async function buildFilter({ of, status, since, until }: EventSelection) {
  const createdAt = { $gte: new Date(since), $lte: new Date(until) };
  if ('eventtype' in of) return { eventtype: of.eventtype, status, createdAt };
  const organizations = await organizationsWithin({ organization: of.organization });
  return { name: of.name, status, createdAt, organization: { $in: organizations } };
}

function byArrival(one: EventDocument, other: EventDocument): number {
  const apart = one.createdAt.getTime() - other.createdAt.getTime();
  return apart === 0 ? (one._id < other._id ? -1 : 1) : apart;
}
