import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import { anyCollection, defineModel } from '../connection/model.ts';
import { tryInsert } from '../queries/insert.ts';
import { storeNow } from './clock.ts';

/** See spec 2.8. */
export interface IdempotencyDocument {
  /** Digest of caller and key. */
  _id: string;
  /** Digest of method, path and body. */
  request: string;
  /** Source of the ids that the request creates, also after a takeover. */
  seed: string;
  heldUntil: Date;
  /** Id of the claim: after a takeover the former holder cannot write. */
  holder: string;
  /** Encrypted response. Absent while the request runs. */
  answer?: string;
  createdAt: Date;
}

const DAY_SECONDS = 24 * 60 * 60;

const idempotencySchema = new mongoose.Schema<IdempotencyDocument>(
  {
    _id: String,
    request: String,
    seed: String,
    heldUntil: Date,
    holder: String,
    answer: String,
    createdAt: Date,
  },
  { collection: 'idempotency', versionKey: false, strict: true },
);

idempotencySchema.index({ createdAt: 1 }, { expireAfterSeconds: DAY_SECONDS });

/** Every request with a key uses `collection`, which skips Mongoose's documents and queries. */
const idempotencyModel = defineModel<IdempotencyDocument>('Idempotency', idempotencySchema);

/** `mine`: the caller must run the request. */
export type Claim = { mine: true; record: ClaimedKey } | { mine: false; record: IdempotencyDocument };

export type ClaimedKey = IdempotencyDocument & { holder: string };

/**
 * Claims a key that is new, or whose holder died without a response. Otherwise returns the key's
 * record, or null if the key was just released or has expired: claim again. The claim ends after
 * `claimMs` without an extension.
 */
export async function claimKey(
  fresh: { id: string; request: string; seed: string },
  claimMs: number,
): Promise<Claim | null> {
  const now = storeNow();
  const record: ClaimedKey = {
    _id: fresh.id,
    request: fresh.request,
    seed: fresh.seed,
    heldUntil: new Date(now + claimMs),
    holder: randomUUID(),
    createdAt: new Date(now),
  };
  if (await tryInsert(anyCollection(idempotencyModel), record)) return { mine: true, record };
  // The TTL index removes expired keys up to a minute late.
  await idempotencyModel.deleteOne({ _id: fresh.id, createdAt: { $lt: new Date(now - DAY_SECONDS * 1000) } });
  const abandoned = await idempotencyModel
    .findOneAndUpdate(
      {
        _id: fresh.id,
        request: fresh.request,
        answer: { $exists: false },
        heldUntil: { $lt: new Date(now) },
      },
      { $set: { heldUntil: record.heldUntil, holder: record.holder } },
      { returnDocument: 'after' },
    )
    .lean<ClaimedKey>();
  if (abandoned) return { mine: true, record: abandoned };
  const known = await idempotencyModel.findById(fresh.id).lean<IdempotencyDocument>();
  return known && { mine: false, record: known };
}

/** Does nothing after a takeover. */
export async function extendClaim(key: ClaimedKey, claimMs: number): Promise<void> {
  const heldUntil = new Date(storeNow() + claimMs);
  await idempotencyModel.updateOne(holderFilter(key), { $set: { heldUntil } });
}

/** Does nothing after a takeover. */
export async function storeResponse(key: ClaimedKey, answer: string): Promise<void> {
  await idempotencyModel.collection.updateOne(holderFilter(key), { $set: { answer } });
}

/** Lets the next request with the key take over a claim whose outcome is unknown. */
export async function yieldKey(key: ClaimedKey): Promise<void> {
  await idempotencyModel.updateOne(holderFilter(key), { $set: { heldUntil: new Date(0) } });
}

/** Deletes the key of a rejected request. Returns false after a takeover. */
export async function releaseKey(key: ClaimedKey): Promise<boolean> {
  const { deletedCount } = await idempotencyModel.collection.deleteOne(holderFilter(key));
  return deletedCount > 0;
}

function holderFilter({ _id, holder }: ClaimedKey): Record<string, unknown> {
  return { _id, holder, answer: { $exists: false } };
}
