import mongoose from 'mongoose';
import { defineModel } from '../connection/model.ts';
import { forgottenBefore, lockedUntil } from '../../domain/limits/lock-out.ts';
import type { LockOut } from '../../domain/limits/lock-out.ts';
import { storeNow } from '../cluster/clock.ts';
import { isDuplicateKey } from '../queries/insert.ts';

/** Failed logins for one email, whether or not there is such a user. */
export interface LoginFailuresDocument {
  /** The email. */
  _id: string;
  /** Times of the failures that count, oldest first; never more than lock the email. */
  failures: Date[];
  /** When nothing in here matters any more. */
  expiresAt: Date;
}

const loginFailuresSchema = new mongoose.Schema<LoginFailuresDocument>(
  { _id: String, failures: [Date], expiresAt: Date },
  { collection: 'loginfailures', versionKey: false, strict: true },
);

loginFailuresSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

const loginFailuresModel = defineModel<LoginFailuresDocument>('LoginFailures', loginFailuresSchema);

/** Until when logins for the email are locked, if they are. */
export async function findLock(email: string, lockOut: LockOut): Promise<Date | null> {
  const found = await loginFailuresModel.findById(email, { failures: 1 }).lean();
  return lockedUntil(found?.failures ?? [], lockOut, storeNow());
}

/**
 * Counts a failure, and answers null; where logins for the email are locked, it counts nothing and
 * answers until when. Of failures at the same moment, in whatever processes, no more are counted
 * than lock the email.
 */
export async function noteLoginFailure(email: string, lockOut: LockOut): Promise<Date | null> {
  const last = `failures.${lockOut.maxFailures - 1}`;
  for (;;) {
    const until = await findLock(email, lockOut);
    if (until) return until;
    const now = storeNow();
    const old = { $lte: forgottenBefore(lockOut, now) };
    // Those that lock the email stay together until the lock is over.
    const unlocked = { $or: [{ [last]: { $exists: false } }, { [last]: old }] };
    await loginFailuresModel.updateOne({ _id: email, ...unlocked }, { $pull: { failures: old } });
    try {
      await loginFailuresModel.updateOne(
        { _id: email, [last]: { $exists: false } },
        { $push: { failures: new Date(now) }, $set: { expiresAt: new Date(now + lockOut.windowMs) } },
        { upsert: true },
      );
      return null;
    } catch (error) {
      // The email was locked at this very moment, or had its first failure.
      if (!isDuplicateKey(error)) throw error;
    }
  }
}
