import mongoose from 'mongoose';
import { defineModel } from '../connection/model.ts';
import { ATTEMPT_OUTCOMES } from '../../domain/delivery/delivery.ts';
import type { AttemptOutcome } from '../../domain/delivery/delivery.ts';
import { deliveryModel } from './deliveries.ts';

/** Total of all workers. */
interface AttemptCountDocument {
  _id: AttemptOutcome;
  count: number;
}

const attemptCountSchema = new mongoose.Schema<AttemptCountDocument>(
  { _id: String, count: Number },
  { collection: 'attemptcounts', versionKey: false, strict: true },
);

const attemptCountModel = defineModel<AttemptCountDocument>('AttemptCount', attemptCountSchema);

export async function addAttempts(counts: ReadonlyMap<AttemptOutcome, number>): Promise<void> {
  await attemptCountModel.collection.bulkWrite(
    [...counts].map(([outcome, count]) => ({
      updateOne: { filter: { _id: outcome }, update: { $inc: { count } }, upsert: true },
    })),
    { ordered: false },
  );
}

/** The totals lag by some seconds. */
export async function attemptTotals(): Promise<Record<AttemptOutcome, number>> {
  const found = await attemptCountModel.find().lean<AttemptCountDocument[]>();
  const none = ATTEMPT_OUTCOMES.map((outcome) => [outcome, 0] as const);
  const counts = found.map(({ _id, count }) => [_id, count] as const);
  return Object.fromEntries([...none, ...counts]) as Record<AttemptOutcome, number>;
}

/** Excludes held deliveries. */
export async function countPending(shards: readonly number[], limit: number): Promise<number> {
  return deliveryModel.collection.countDocuments(
    { pace: { $in: ['prompt', 'patient'] }, shard: { $in: [...shards] }, dueAt: { $exists: true } },
    { limit },
  );
}

export async function countHeld(shards: readonly number[], limit: number): Promise<number> {
  return deliveryModel.collection.countDocuments(
    { shard: { $in: [...shards] }, heldAt: { $exists: true } },
    { limit },
  );
}

/** Returns the event time of the oldest pending delivery. Ignores held deliveries. */
export async function findOldestPending(shards: readonly number[]): Promise<Date | null> {
  const firsts = await Promise.all(
    shards.map((shard) =>
      deliveryModel.collection.findOne(
        { shard, dueAt: { $exists: true } },
        { projection: { createdAt: 1 }, sort: { createdAt: 1, _id: 1 } },
      ),
    ),
  );
  const times = firsts.flatMap((first) => first?.createdAt.getTime() ?? []);
  return times.length > 0 ? new Date(Math.min(...times)) : null;
}
