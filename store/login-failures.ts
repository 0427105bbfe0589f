import mongoose from 'mongoose';
import { storeNow } from './clock.ts';

/** Failed logins for one email, whether or not there is such a user. */
export interface LoginFailuresDocument {
  /** The email. */
  _id: string;
  /** Times of the latest failures, oldest first. */
  failures: Date[];
  lockedUntil?: Date;
  /** When nothing in here matters any more. */
  expiresAt: Date;
}

const loginFailuresSchema = new mongoose.Schema<LoginFailuresDocument>(
  { _id: String, failures: [Date], lockedUntil: Date, expiresAt: Date },
  { collection: 'loginfailures', versionKey: false, strict: true },
);

loginFailuresSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

const loginFailuresModel = mongoose.model('LoginFailures', loginFailuresSchema);

/** Until when logins for the email are locked, if they are. */
export async function lockedUntil(email: string): Promise<Date | null> {
  const found = await loginFailuresModel.findById(email, { lockedUntil: 1 }).lean();
  const until = found?.lockedUntil;
  return until && until.getTime() > storeNow() ? until : null;
}

/** Notes a failure; when it is the `most`-th within `withinMs`, logins for the email are locked for as long again. */
export async function noteLoginFailure(
  email: string,
  { most, withinMs }: { most: number; withinMs: number },
): Promise<void> {
  const now = storeNow();
  const later = new Date(now + withinMs);
  const { failures } = await loginFailuresModel
    .findOneAndUpdate(
      { _id: email },
      {
        $push: { failures: { $each: [new Date(now)], $slice: -most } },
        $set: { expiresAt: later },
      },
      { upsert: true, returnDocument: 'after' },
    )
    .orFail()
    .lean();
  const recent = failures.filter((at) => at.getTime() > now - withinMs);
  if (recent.length < most) return;
  await loginFailuresModel.updateOne({ _id: email }, { $set: { lockedUntil: later, failures: [] } });
}
