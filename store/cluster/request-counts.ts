import mongoose from 'mongoose';
import { defineModel } from '../connection/model.ts';

/** Requests per key, over all API processes. */
export interface RequestCountDocument {
  /** The key and the end of the time span. */
  _id: string;
  count: number;
  expiresAt: Date;
}

const KEPT_MS = 10_000;

const requestCountSchema = new mongoose.Schema<RequestCountDocument>(
  { _id: String, count: Number, expiresAt: Date },
  { collection: 'requestcounts', versionKey: false },
);

requestCountSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

const requestCountModel = defineModel<RequestCountDocument>('RequestCount', requestCountSchema);

/** Returns the new count of the time span that ends at `endsAt` (ms since 1970). */
export async function addRequests(
  key: string,
  { endsAt, requests }: { endsAt: number; requests: number },
): Promise<number> {
  const { count } = await requestCountModel
    .findOneAndUpdate(
      { _id: `${key} ${endsAt}` },
      { $inc: { count: requests }, $setOnInsert: { expiresAt: new Date(endsAt + KEPT_MS) } },
      // Losing a count in a crash does no harm.
      { upsert: true, returnDocument: 'after', writeConcern: { w: 1, journal: false } },
    )
    .orFail()
    .lean();
  return count;
}
