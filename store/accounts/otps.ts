import mongoose from 'mongoose';
import { defineModel } from '../connection/model.ts';

/** A user's secret for one-time passwords (spec 3.8). */
export interface OtpDocument {
  /** The user's id. */
  _id: string;
  /** Encrypted, so that read access to the store cannot produce one-time passwords. */
  secret: string;
  /** Absent until the user has entered a valid one-time password. */
  confirmedAt?: Date;
  /**
   * Time step of the last accepted one-time password. Passwords of this or an earlier step are
   * rejected.
   */
  lastStep?: number;
}

const otpSchema = new mongoose.Schema<OtpDocument>(
  { _id: String, secret: String, confirmedAt: Date, lastStep: Number },
  { collection: 'otps', versionKey: false, strict: true },
);

const otpModel = defineModel<OtpDocument>('Otp', otpSchema);

/** Returns the user's secret, confirmed or not. */
export async function findOtp(user: string): Promise<OtpDocument | null> {
  return otpModel.findById(user).lean<OtpDocument>();
}

/**
 * Stores an unconfirmed secret and replaces an earlier unconfirmed one. Returns false if the user
 * has a confirmed secret.
 */
export async function proposeOtp(user: string, secret: string): Promise<boolean> {
  const { upsertedCount } = await otpModel.updateOne(
    { _id: user },
    { $setOnInsert: { secret } },
    { upsert: true },
  );
  if (upsertedCount > 0) return true;
  const { matchedCount } = await otpModel.updateOne(
    { _id: user, confirmedAt: { $exists: false } },
    { $set: { secret } },
  );
  return matchedCount > 0;
}

/** Confirms a secret. Returns false if another secret has replaced it. */
export async function confirmOtp({ _id, secret }: OtpDocument): Promise<boolean> {
  const { matchedCount } = await otpModel.updateOne({ _id, secret }, { $set: { confirmedAt: new Date() } });
  return matchedCount > 0;
}

/**
 * Consumes a time step. Returns false if this or a later step was consumed before. Of concurrent
 * calls only the first succeeds.
 */
export async function useOtpStep(user: string, step: number): Promise<boolean> {
  const { matchedCount } = await otpModel.updateOne(
    { _id: user, $or: [{ lastStep: { $exists: false } }, { lastStep: { $lt: step } }] },
    { $set: { lastStep: step } },
  );
  return matchedCount > 0;
}

/** Removes the user's secret. Returns false if the user had none. */
export async function removeOtp(user: string): Promise<boolean> {
  const { deletedCount } = await otpModel.deleteOne({ _id: user });
  return deletedCount > 0;
}
