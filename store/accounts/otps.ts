import mongoose from 'mongoose';
import { defineModel } from '../connection/model.ts';

/** A user's secret for one-time passwords (spec 3.8). */
export interface OtpDocument {
  /** The user. */
  _id: string;
  /** Sealed: who reads the store cannot make one-time passwords. */
  secret: string;
  /** Absent until the user has shown that they have the secret. */
  confirmedAt?: Date;
  /**
   * The time step of the last one-time password that was used: none of it or before is right again.
   */
  lastStep?: number;
}

const otpSchema = new mongoose.Schema<OtpDocument>(
  { _id: String, secret: String, confirmedAt: Date, lastStep: Number },
  { collection: 'otps', versionKey: false, strict: true },
);

const otpModel = defineModel<OtpDocument>('Otp', otpSchema);

/** The user's secret, confirmed or not. */
export async function findOtp(user: string): Promise<OtpDocument | null> {
  return otpModel.findById(user).lean<OtpDocument>();
}

/**
 * Keeps a new secret until it is confirmed, in the place of one that was not. False where the user
 * has a confirmed one.
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

/** Puts a secret into force. False where another one has taken its place. */
export async function confirmOtp({ _id, secret }: OtpDocument): Promise<boolean> {
  const { matchedCount } = await otpModel.updateOne({ _id, secret }, { $set: { confirmedAt: new Date() } });
  return matchedCount > 0;
}

/**
 * Uses a time step up. False where it, or a later one, was used before; of several at the same time
 * one wins.
 */
export async function useOtpStep(user: string, step: number): Promise<boolean> {
  const { matchedCount } = await otpModel.updateOne(
    { _id: user, $or: [{ lastStep: { $exists: false } }, { lastStep: { $lt: step } }] },
    { $set: { lastStep: step } },
  );
  return matchedCount > 0;
}

/** Whether there was a secret to remove, confirmed or not. */
export async function removeOtp(user: string): Promise<boolean> {
  const { deletedCount } = await otpModel.deleteOne({ _id: user });
  return deletedCount > 0;
}
