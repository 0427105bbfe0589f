import mongoose from 'mongoose';
import { defineModel } from '../connection/model.ts';

/** See spec 3.8. */
export interface OtpDocument {
  /** The user's id. */
  _id: string;
  /** Encrypted. */
  secret: string;
  /** Time of the first valid code. */
  confirmedAt?: Date;
  lastStep?: number;
}

const otpSchema = new mongoose.Schema<OtpDocument>(
  { _id: String, secret: String, confirmedAt: Date, lastStep: Number },
  { collection: 'otps', versionKey: false, strict: true },
);

const otpModel = defineModel<OtpDocument>('Otp', otpSchema);

export async function findOtp(user: string): Promise<OtpDocument | null> {
  return otpModel.findById(user).lean<OtpDocument>();
}

/** Returns false if the user has a confirmed secret. */
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

export async function confirmOtp({ _id, secret }: OtpDocument): Promise<boolean> {
  const { matchedCount } = await otpModel.updateOne({ _id, secret }, { $set: { confirmedAt: new Date() } });
  return matchedCount > 0;
}

/** Returns false if this or a later step was used. */
export async function useOtpStep(user: string, step: number): Promise<boolean> {
  const { matchedCount } = await otpModel.updateOne(
    { _id: user, $or: [{ lastStep: { $exists: false } }, { lastStep: { $lt: step } }] },
    { $set: { lastStep: step } },
  );
  return matchedCount > 0;
}

export async function removeOtp(user: string): Promise<boolean> {
  const { deletedCount } = await otpModel.deleteOne({ _id: user });
  return deletedCount > 0;
}
