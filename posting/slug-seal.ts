import { createCipheriv, createDecipheriv, createHash, createHmac } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
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
  const key = createHash('sha256').update(`slug ${authSecret}`).digest();
  const ivKey = createHash('sha256').update(`slug iv ${authSecret}`).digest();
  return {
    close(slug) {
      const iv = createHmac('sha256', ivKey).update(slug).digest().subarray(0, IV_BYTES);
      const cipher = createCipheriv(ALGORITHM, key, iv);
      const body = Buffer.concat([cipher.update(slug, 'utf8'), cipher.final()]);
      return MARK + Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
    },
    open(sealed) {
      if (!sealed.startsWith(MARK)) return sealed;
      const bytes = Buffer.from(sealed.slice(MARK.length), 'base64url');
      if (bytes.length < IV_BYTES + TAG_BYTES) return null;
      const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES));
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      const body = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
      try {
        return Buffer.concat([body, decipher.final()]).toString('utf8');
      } catch {
        return null;
      }
    },
  };
}
