import mongoose from 'mongoose';
import { defineModel } from '../connection/model.ts';
import { storeNow } from '../cluster/clock.ts';
import { isDuplicateKey } from '../queries/duplicate-key.ts';

/** Failed logins for one email, whether or not there is such a user. */
export interface LoginFailuresDocument {
  /** The email. */
  _id: string;
  /** Times of the failures that count, oldest first; never more than lock the email. */
  failures: Date[];
  /** When nothing in here matters any more. */
  expiresAt: Date;
}

/** So many failures within that time lock an email for as long again, from the last of them on. */
export interface LockOut {
  most: number;
  withinMs: number;
}

const loginFailuresSchema = new mongoose.Schema<LoginFailuresDocument>(
  { _id: String, failures: [Date], expiresAt: Date },
  { collection: 'loginfailures', versionKey: false, strict: true },
);

loginFailuresSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

const loginFailuresModel = defineModel<LoginFailuresDocument>('LoginFailures', loginFailuresSchema);

/** Until when logins for the email are locked, if they are. */
export async function lockedUntil(email: string, { most, withinMs }: LockOut): Promise<Date | null> {
  const found = await loginFailuresModel.findById(email, { failures: 1 }).lean();
  const last = found?.failures[most - 1];
  const until = new Date((last?.getTime() ?? -Infinity) + withinMs);
  return until.getTime() > storeNow() ? until : null;
}

/**
 * Counts a failure, and answers null; where logins for the email are locked, it counts nothing and
 * answers until when. Of failures at the same moment, in whatever processes, no more are counted
 * than lock the email.
 */
export async function noteLoginFailure(email: string, lockOut: LockOut): Promise<Date | null> {
  const last = `failures.${lockOut.most - 1}`;
  for (;;) {
    const until = await lockedUntil(email, lockOut);
    if (until) return until;
    const now = storeNow();
    const old = { $lte: new Date(now - lockOut.withinMs) };
    // Those that lock the email stay together until the lock is over.
    const unlocked = { $or: [{ [last]: { $exists: false } }, { [last]: old }] };
    await loginFailuresModel.updateOne({ _id: email, ...unlocked }, { $pull: { failures: old } });
    try {
      await loginFailuresModel.updateOne(
        { _id: email, [last]: { $exists: false } },
        { $push: { failures: new Date(now) }, $set: { expiresAt: new Date(now + lockOut.withinMs) } },
        { upsert: true },
      );
      return null;
    } catch (error) {
      // The email was locked at this very moment, or had its first failure.
      if (!isDuplicateKey(error)) throw error;
    }
  }
}
