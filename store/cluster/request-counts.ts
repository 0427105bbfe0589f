import mongoose from 'mongoose';
import { defineModel } from '../connection/model.ts';

/** How many requests all API processes have had for one key in one span of time. */
export interface RequestCountDocument {
  /** The key and the end of the span. */
  _id: string;
  count: number;
  /** When it matters no more. */
  expiresAt: Date;
}

const KEPT_MS = 10_000;

const requestCountSchema = new mongoose.Schema<RequestCountDocument>(
  { _id: String, count: Number, expiresAt: Date },
  { collection: 'requestcounts', versionKey: false },
);

requestCountSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

const requestCountModel = defineModel<RequestCountDocument>('RequestCount', requestCountSchema);

/**
 * Adds requests to the count of a key in the span of time that ends at `endsAt` (milliseconds since
 * 1970): a second of the rate limit, or more. Answers the new count.
 */
export async function addRequests(
  key: string,
  { endsAt, requests }: { endsAt: number; requests: number },
): Promise<number> {
  const { count } = await requestCountModel
    .findOneAndUpdate(
      { _id: `${key} ${endsAt}` },
      { $inc: { count: requests }, $setOnInsert: { expiresAt: new Date(endsAt + KEPT_MS) } },
      // A count that is lost in a crash is worth nothing a second later.
      { upsert: true, returnDocument: 'after', writeConcern: { w: 1, j: false } },
    )
    .orFail()
    .lean();
  return count;
}
