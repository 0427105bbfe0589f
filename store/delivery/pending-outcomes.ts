import { deliveryModel } from './deliveries.ts';
import type { DeliveryDocument, PendingAttempt } from './deliveries.ts';

/** A delivery with an attempt that was logged, and that nobody has drawn the conclusions of. */
export type PendingOutcome = Pick<DeliveryDocument, '_id' | 'event' | 'service' | 'attempts'> & {
  unjudged: PendingAttempt;
};

/**
 * Those of a shard whose attempt was logged before a time, the longest ago first, at most `limit`.
 */
export async function findPendingOutcomes(
  shard: number,
  before: Date,
  limit: number,
): Promise<PendingOutcome[]> {
  return deliveryModel.collection
    .find<PendingOutcome>(
      { shard, 'unjudged.loggedAt': { $lt: before } },
      {
        projection: { event: 1, service: 1, attempts: 1, unjudged: 1 },
        sort: { 'unjudged.loggedAt': 1 },
        limit,
      },
    )
    .toArray();
}

/** Notes that the conclusions of an attempt are drawn. */
export async function noteOutcomeApplied(id: string, { eventId }: PendingAttempt): Promise<void> {
  await deliveryModel.collection.updateOne(
    { _id: id, 'unjudged.eventId': eventId },
    { $unset: { unjudged: '' } },
  );
}
