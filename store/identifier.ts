import { randomBytes } from 'node:crypto';
import mongoose from 'mongoose';

/** A new id: 24 hex characters, ordered by the second it was made (contract 2). */
export function mintId(): string {
  return new mongoose.Types.ObjectId().toHexString();
}

/** A new slug: 16 random URL-safe characters (contract 5). */
export function mintSlug(): string {
  return randomBytes(12).toString('base64url');
}
