import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import { defineModel } from '../connection/model.ts';
import { isDuplicateKey } from '../queries/insert.ts';
import { storeNow } from './clock.ts';

/** One use of an `Idempotency-Key` (spec 2.8). */
export interface IdempotencyDocument {
  /** Digest of caller and key. */
  _id: string;
  /** Digest of method, path and body: the same key with another is refused. */
  request: string;
  /**
   * Where the ids come from that the request mints, so that whoever takes over after a crash mints
   * the same.
   */
  seed: string;
  /** Whoever runs the request shows that they are alive by moving this on. */
  heldUntil: Date;
  /**
   * Which claim holds the key: one whose hold was over, and that was taken over, has no say any
   * more.
   */
  holder: string;
  /** The first answer, sealed; absent while the request runs. */
  answer?: string;
  createdAt: Date;
}

const DAY_SECONDS = 24 * 60 * 60;
const CLAIM_MS = 10_000;

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

const idempotencyModel = defineModel<IdempotencyDocument>('Idempotency', idempotencySchema);

/**
 * `mine`: the caller of this function runs the request. Otherwise somebody else does or did, and
 * `record` tells how far they are.
 */
export type Claim = { mine: true; record: ClaimedKey } | { mine: false; record: IdempotencyDocument };

/** A key as whoever holds it knows it. */
export type ClaimedKey = IdempotencyDocument & { holder: string };

/**
 * Claims a key: takes it when it is new, older than a day, or its holder died without an answer;
 * otherwise answers with what is known. Null when it was given up at this very moment: claim again.
 */
export async function claimKey(fresh: { id: string; request: string; seed: string }): Promise<Claim | null> {
  const now = storeNow();
  const record: ClaimedKey = {
    _id: fresh.id,
    request: fresh.request,
    seed: fresh.seed,
    heldUntil: new Date(now + CLAIM_MS),
    holder: randomUUID(),
    createdAt: new Date(now),
  };
  try {
    await idempotencyModel.create([record]);
    return { mine: true, record };
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
  // The database removes what is too old within a minute, not at once.
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

/** Whoever runs the request is still alive. Nothing where somebody else has taken over. */
export async function extendClaim(key: ClaimedKey): Promise<void> {
  const heldUntil = new Date(storeNow() + CLAIM_MS);
  await idempotencyModel.updateOne(holderFilter(key), { $set: { heldUntil } });
}

/**
 * Keeps the first answer. Nothing where somebody else has taken over: the answer that is kept is
 * theirs.
 */
export async function storeResponse(key: ClaimedKey, answer: string): Promise<void> {
  await idempotencyModel.updateOne(holderFilter(key), { $set: { answer } });
}

/**
 * Lets the next who comes with the key take over with the same ids: it is not known what became of
 * the request.
 */
export async function yieldKey(key: ClaimedKey): Promise<void> {
  await idempotencyModel.updateOne(holderFilter(key), { $set: { heldUntil: new Date(0) } });
}

/**
 * Gives a key up whose request was refused: only what succeeded is remembered. False where somebody
 * else has taken over, and keeps it.
 */
export async function releaseKey(key: ClaimedKey): Promise<boolean> {
  const { deletedCount } = await idempotencyModel.deleteOne(holderFilter(key));
  return deletedCount > 0;
}

function holderFilter({ _id, holder }: ClaimedKey): Record<string, unknown> {
  return { _id, holder, answer: { $exists: false } };
}
