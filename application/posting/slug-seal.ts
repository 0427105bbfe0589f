import { createHash, createHmac } from 'node:crypto';
import { IV_BYTES, createEncryption } from './encryption.ts';
import type { Encryption } from './encryption.ts';

/**
 * Creates the encryption of slugs on their way through Temporal: a slug is the key to a contact's
 * page, and must not be readable in a workflow's history (spec 11.3). The same slug always gives
 * the same text, so that workflows can compare slugs.
 */
export function createSlugEncryption(authSecret: string): Encryption {
  const ivKey = createHash('sha256').update(`slug iv ${authSecret}`).digest();
  const deriveIv = (slug: string) => createHmac('sha256', ivKey).update(slug).digest().subarray(0, IV_BYTES);
  return createEncryption(`slug ${authSecret}`, deriveIv);
}
