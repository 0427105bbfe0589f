import { randomBytes } from 'node:crypto';
import mongoose from 'mongoose';

/** A new id: 24 hex characters, ordered by the second it was made (spec 2.1). */
export function newId(): string {
  return new mongoose.Types.ObjectId().toHexString();
}

/** A new slug: 16 random URL-safe characters (spec 5.1). */
export function newSlug(): string {
  return randomBytes(12).toString('base64url');
}
