import mongoose from 'mongoose';
import { defineModel } from '../connection/model.ts';

/**
 * A family of tokens: those of one login and all that were refreshed from it. One refresh token of
 * a family is alive at a time (spec 3.3).
 */
export interface TokenFamilyDocument {
  _id: string;
  user: string;
  /** Which refresh token is alive. */
  serial: string;
  /** Set when the family was ended before its time. */
  endedAt?: Date;
  /** When its last token has expired. */
  expiresAt: Date;
}

const tokenFamilySchema = new mongoose.Schema<TokenFamilyDocument>(
  { _id: String, user: String, serial: String, endedAt: Date, expiresAt: Date },
  { collection: 'tokenfamilies', versionKey: false, strict: true },
);

tokenFamilySchema.index({ user: 1 });
tokenFamilySchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

const tokenFamilyModel = defineModel<TokenFamilyDocument>('TokenFamily', tokenFamilySchema);

/** Whether the family's access tokens are good. */
export async function isFamilyActive(family: string): Promise<boolean> {
  const found = await tokenFamilyModel.findById(family, { endedAt: 1 }).lean();
  return found !== null && found.endedAt === undefined;
}

export async function insertFamily(family: TokenFamilyDocument): Promise<void> {
  await tokenFamilyModel.create([family]);
}

/**
 * Puts the next refresh token in the place of `serial`. False when `serial` is not the living one:
 * it was used before, or the family has ended. Of several at the same time one wins.
 */
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

/** Ends a family: none of its tokens is good any more. */
export async function endFamily(family: string): Promise<void> {
  await tokenFamilyModel.updateOne({ _id: family }, { $set: { endedAt: new Date() } });
}

/** Ends all families of a user, but for the one named. */
export async function endFamilies(user: string, { except }: { except?: string } = {}): Promise<void> {
  await tokenFamilyModel.updateMany(
    { user, ...(except === undefined ? {} : { _id: { $ne: except } }) },
    { $set: { endedAt: new Date() } },
  );
}
