import type mongoose from 'mongoose';
import type { Attempt, DeliveryStatus } from '../../domain/delivery/delivery.ts';
import type { SendingNote } from '../../domain/channels/outcome.ts';
import { deliveryModel } from './deliveries.ts';
import type { DeliveryDocument, PendingAttempt } from './deliveries.ts';
import type { QueuedDelivery } from './queue.ts';
import { definedFields } from '../../domain/record-fields.ts';
import { computeExpiry } from '../../domain/delivery/delivery.ts';

/** `unjudged`: attempt whose outcome is not applied to the service yet (`noteOutcomeApplied`). */
export type AttemptEnd = { unjudged?: PendingAttempt } & (
  | { status: Extract<DeliveryStatus, 'delivered' | 'failed'>; finishedAt: Date }
  /** `keepsStep`: the attempt uses no step of the retry schedule. */
  | { status: 'pending'; dueAt: Date; keepsStep?: true }
);

export async function noteSending(delivery: string, sending: SendingNote): Promise<void> {
  await deliveryModel.collection.updateOne({ _id: delivery }, { $set: { sending } });
}

export interface EndedAttempt {
  delivery: Pick<QueuedDelivery, '_id' | 'tries'>;
  attempt: Attempt;
  end: AttemptEnd;
  /** The conversation of a post of a channel. */
  conversation?: string | undefined;
  note?: SendingNote | null | undefined;
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
  conversation,
  note,
}: EndedAttempt): mongoose.mongo.UpdateFilter<DeliveryDocument> {
  const logged = { at: new Date(at), ...attempt };
  const set = { ...(end.unjudged && { unjudged: end.unjudged }), ...(note && { sending: note }) };
  const unset = note === null ? { sending: '' as const } : {};
  return {
    ...(end.status === 'pending'
      ? {
          $set: { dueAt: end.dueAt, retryAt: end.dueAt, pace: 'patient', ...set },
          $unset: { heldAt: '', expiresAt: '', ...unset },
        }
      : {
          $set: {
            status: end.status,
            finishedAt: end.finishedAt,
            expiresAt: computeExpiry(end.finishedAt),
            ...definedFields({ conversation }),
            ...set,
          },
          $unset: { dueAt: '', retryAt: '', heldAt: '', ...unset },
        }),
    $inc: { tries: countSteps(end) },
    $push: { attempts: { $each: [logged], $slice: -MAX_ATTEMPTS_KEPT } },
  };
}

function countSteps(end: AttemptEnd): number {
  return end.status === 'pending' && end.keepsStep ? 0 : 1;
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
  return ended.map(({ delivery, attempt, end }) => {
    const row = byId.get(delivery._id);
    const tries = delivery.tries + countSteps(end);
    return row?.tries === tries && row.attempts[0]?.at.getTime() === Date.parse(attempt.at);
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
