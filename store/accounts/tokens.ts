import mongoose from 'mongoose';
import { defineModel } from '../connection/model.ts';

/** Tokens of one login (spec 3.3). */
export interface TokenFamilyDocument {
  _id: string;
  user: string;
  /** Serial of the valid refresh token. */
  serial: string;
  endedAt?: Date;
  /** Expiry of the last token. */
  expiresAt: Date;
}

const tokenFamilySchema = new mongoose.Schema<TokenFamilyDocument>(
  { _id: String, user: String, serial: String, endedAt: Date, expiresAt: Date },
  { collection: 'tokenfamilies', versionKey: false, strict: true },
);

tokenFamilySchema.index({ user: 1 });
tokenFamilySchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

const tokenFamilyModel = defineModel<TokenFamilyDocument>('TokenFamily', tokenFamilySchema);

export async function isFamilyActive(family: string): Promise<boolean> {
  const found = await tokenFamilyModel.findById(family, { endedAt: 1 }).lean();
  return found !== null && found.endedAt === undefined;
}

export async function insertFamily(family: TokenFamilyDocument): Promise<void> {
  await tokenFamilyModel.create([family]);
}

/** Returns false if the refresh token `serial` was used or the family has ended. */
export async function rotateFamily(
  family: string,
  { serial, next, expiresAt }: { serial: string; next: string; expiresAt: Date },
): Promise<boolean> {
  const { matchedCount } = await tokenFamilyModel.updateOne(
    { _id: family, serial, endedAt: { $exists: false } },
    { $set: { serial: next, expiresAt } },
  );
  return matchedCount > 0;
}

export async function endFamily(family: string): Promise<void> {
  await tokenFamilyModel.updateOne({ _id: family }, { $set: { endedAt: new Date() } });
}

export async function endFamilies(user: string, { except }: { except?: string } = {}): Promise<void> {
  await tokenFamilyModel.updateMany(
    { user, ...(except === undefined ? {} : { _id: { $ne: except } }) },
    { $set: { endedAt: new Date() } },
  );
}
