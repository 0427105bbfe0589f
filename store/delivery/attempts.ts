import type mongoose from 'mongoose';
import type { Attempt, DeliveryStatus } from '../../domain/delivery/delivery.ts';
import { deliveryModel } from './deliveries.ts';
import type { DeliveryDocument, PendingAttempt } from './deliveries.ts';
import type { QueuedDelivery } from './queue.ts';
import { computeExpiry } from '../../domain/delivery/delivery.ts';

/** `unjudged`: attempt whose outcome is not applied to the service yet (`noteOutcomeApplied`). */
export type AttemptEnd = { unjudged?: PendingAttempt } & (
  | { status: Extract<DeliveryStatus, 'delivered' | 'failed'>; finishedAt: Date }
  | { status: 'pending'; dueAt: Date }
);

export interface EndedAttempt {
  delivery: Pick<QueuedDelivery, '_id' | 'tries'>;
  attempt: Attempt;
  end: AttemptEnd;
}

const MAX_ATTEMPTS_KEPT = 50;

/**
 * Returns for each attempt whether it was written. The attempt of a concurrently changed delivery
 * is not written.
 */
export async function recordAttempts(ended: readonly EndedAttempt[]): Promise<boolean[]> {
  const writes = ended.map((one) => {
    const { _id, tries } = one.delivery;
    return { updateOne: { filter: { _id, status: 'pending' as const, tries }, update: buildUpdate(one) } };
  });
  const { matchedCount } = await deliveryModel.collection.bulkWrite(writes, { ordered: false });
  if (matchedCount === ended.length) return ended.map(() => true);
  return findWritten(ended);
}

function buildUpdate({
  attempt: { at, ...attempt },
  end,
}: EndedAttempt): mongoose.mongo.UpdateFilter<DeliveryDocument> {
  const logged = { at: new Date(at), ...attempt };
  const unjudged = end.unjudged && { unjudged: end.unjudged };
  return {
    ...(end.status === 'pending'
      ? {
          $set: { dueAt: end.dueAt, retryAt: end.dueAt, pace: 'patient', ...unjudged },
          $unset: { heldAt: '', expiresAt: '' },
        }
      : {
          $set: {
            status: end.status,
            finishedAt: end.finishedAt,
            expiresAt: computeExpiry(end.finishedAt),
            ...unjudged,
          },
          $unset: { dueAt: '', retryAt: '', heldAt: '' },
        }),
    $inc: { tries: 1 },
    $push: { attempts: { $each: [logged], $slice: -MAX_ATTEMPTS_KEPT } },
  };
}

// The server returns only the number of written attempts.
async function findWritten(ended: readonly EndedAttempt[]): Promise<boolean[]> {
  const rows = await deliveryModel.collection
    .find<Pick<DeliveryDocument, '_id' | 'tries' | 'attempts'>>(
      { _id: { $in: ended.map(({ delivery }) => delivery._id) } },
      { projection: { tries: 1, attempts: { $slice: -1 } } },
    )
    .toArray();
  const byId = new Map(rows.map((row) => [row._id, row]));
  return ended.map(({ delivery, attempt }) => {
    const row = byId.get(delivery._id);
    return row?.tries === delivery.tries + 1 && row.attempts[0]?.at.getTime() === Date.parse(attempt.at);
  });
}

export type PendingOutcome = Pick<DeliveryDocument, '_id' | 'event' | 'service' | 'attempts'> & {
  unjudged: PendingAttempt;
};

export async function findPendingOutcomes(
  shards: readonly number[],
  before: Date,
  limit: number,
): Promise<PendingOutcome[]> {
  return deliveryModel.collection
    .find<PendingOutcome>(
      { shard: { $in: [...shards] }, 'unjudged.loggedAt': { $lt: before } },
      {
        projection: { event: 1, service: 1, attempts: 1, unjudged: 1 },
        sort: { 'unjudged.loggedAt': 1 },
        limit,
      },
    )
    .toArray();
}

export async function noteOutcomeApplied(id: string, { eventId }: PendingAttempt): Promise<void> {
  await deliveryModel.collection.updateOne(
    { _id: id, 'unjudged.eventId': eventId },
    { $unset: { unjudged: '' } },
  );
}
