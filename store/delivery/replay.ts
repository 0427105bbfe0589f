import type { DeliveryStatus } from '../../domain/delivery/delivery.ts';
import { deliveryModel } from './deliveries.ts';
import type { DeliveryDocument } from './deliveries.ts';
import { findWholeDelivery } from './find-deliveries.ts';
import { wakeDelivery } from './queue.ts';

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

export interface ReplaySelection {
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
