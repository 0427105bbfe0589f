import mongoose from 'mongoose';
import { defineModel } from '../connection/model.ts';
import { forgottenBefore, lockedUntil } from '../../domain/limits/lock-out.ts';
import type { LockOut } from '../../domain/limits/lock-out.ts';
import { storeNow } from '../cluster/clock.ts';
import { isDuplicateKey } from '../queries/insert.ts';

export interface LoginFailuresDocument {
  /** The email that was entered, even if no user has this email. */
  _id: string;
  /** Oldest first. */
  failures: Date[];
  expiresAt: Date;
}

const loginFailuresSchema = new mongoose.Schema<LoginFailuresDocument>(
  { _id: String, failures: [Date], expiresAt: Date },
  { collection: 'loginfailures', versionKey: false, strict: true },
);

loginFailuresSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

const loginFailuresModel = defineModel<LoginFailuresDocument>('LoginFailures', loginFailuresSchema);

export async function findLock(email: string, lockOut: LockOut): Promise<Date | null> {
  const found = await loginFailuresModel.findById(email, { failures: 1 }).lean();
  return lockedUntil(found?.failures ?? [], lockOut, storeNow());
}

/** Returns the end of the lock, or counts the failure and returns null. */
export async function noteLoginFailure(email: string, lockOut: LockOut): Promise<Date | null> {
  const last = `failures.${lockOut.maxFailures - 1}`;
  for (;;) {
    const until = await findLock(email, lockOut);
    if (until) return until;
    const now = storeNow();
    const old = { $lte: forgottenBefore(lockOut, now) };
    // A locked email keeps all its failures until the lock ends.
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
      // A concurrent failure came first.
      if (!isDuplicateKey(error)) throw error;
    }
  }
}
