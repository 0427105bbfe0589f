import { createHash, createHmac } from 'node:crypto';
import { IV_BYTES, createEncryption } from './encryption.ts';

/** A character that slugs do not contain. */
const MARK = '~';

/**
 * Encrypts slugs on their way through Temporal: a slug is the key to a contact's page, and must not
 * be readable in a workflow's history (spec 11.3). The same slug always gives the same text, so
 * that workflows can compare slugs.
 */
export interface SlugSeal {
  close: (slug: string) => string;
  /**
   * Returns the slug of a text that `close` returned, and a plain slug, which earlier releases
   * sent, unchanged. Null under another secret.
   */
  open: (sealed: string) => string | null;
}

export function createSlugSeal(authSecret: string): SlugSeal {
  const ivKey = createHash('sha256').update(`slug iv ${authSecret}`).digest();
  const ivOf = (slug: string) => createHmac('sha256', ivKey).update(slug).digest().subarray(0, IV_BYTES);
  const encryption = createEncryption(`slug ${authSecret}`, ivOf);
  return {
    close: (slug) => MARK + encryption.close(slug),
    open: (sealed) => (sealed.startsWith(MARK) ? encryption.open(sealed.slice(MARK.length)) : sealed),
  };
}
