import mongoose from 'mongoose';
import { defineModel } from '../connection/model.ts';
import { forgottenBefore, lockedUntil } from '../../domain/limits/lock-out.ts';
import type { LockOut } from '../../domain/limits/lock-out.ts';
import { storeNow } from '../cluster/clock.ts';
import { isDuplicateKey } from '../queries/insert.ts';

export interface AttemptsDocument {
  /** What is limited: an entered email, even if no user has it, or mails to it. */
  _id: string;
  /** Oldest first. */
  attempts: Date[];
  expiresAt: Date;
}

const attemptsSchema = new mongoose.Schema<AttemptsDocument>(
  { _id: String, attempts: [Date], expiresAt: Date },
  { collection: 'limitedattempts', versionKey: false, strict: true },
);

attemptsSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

const attemptsModel = defineModel<AttemptsDocument>('Attempts', attemptsSchema);

export async function findLock(key: string, lockOut: LockOut): Promise<Date | null> {
  const found = await attemptsModel.findById(key, { attempts: 1 }).lean();
  return lockedUntil(found?.attempts ?? [], lockOut, storeNow());
}

/** Returns the end of the lock, or counts a failed log-in or a mail and returns null. */
export async function countAttempt(key: string, lockOut: LockOut): Promise<Date | null> {
  const last = `attempts.${lockOut.maxAttempts - 1}`;
  for (;;) {
    const until = await findLock(key, lockOut);
    if (until) return until;
    const now = storeNow();
    const old = { $lte: forgottenBefore(lockOut, now) };
    // A locked key keeps all its attempts until the lock ends.
    const unlocked = { $or: [{ [last]: { $exists: false } }, { [last]: old }] };
    await attemptsModel.updateOne({ _id: key, ...unlocked }, { $pull: { attempts: old } });
    try {
      await attemptsModel.updateOne(
        { _id: key, [last]: { $exists: false } },
        { $push: { attempts: new Date(now) }, $set: { expiresAt: new Date(now + lockOut.windowMs) } },
        { upsert: true },
      );
      return null;
    } catch (error) {
      // A concurrent attempt came first.
      if (!isDuplicateKey(error)) throw error;
    }
  }
}
