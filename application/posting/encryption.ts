import { createCipheriv, createDecipheriv, createHash, randomBytes, createHmac } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

export interface Encryption {
  encrypt: (text: string) => string;
  /** Returns null for a corrupt text, or for a text of another secret. */
  decrypt: (sealed: string) => string | null;
  /** Returns 16 characters of base32 that only the owner of the secret can compute. */
  sign: (text: string) => string;
}

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
const SIGNATURE_CHARACTERS = 16;

/** Creates AES-256-GCM encryption. A random IV, the default, encrypts equal texts differently. */
export function createEncryption(
  secret: string,
  createIv: (text: string) => Buffer = () => randomBytes(IV_BYTES),
): Encryption {
  const key = createHash('sha256').update(`seal ${secret}`).digest();
  const signingKey = createHash('sha256').update(`sign ${secret}`).digest();
  return {
    encrypt(text) {
      const iv = createIv(text);
      const cipher = createCipheriv(ALGORITHM, key, iv);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64');
    },
    decrypt(sealed) {
      const bytes = Buffer.from(sealed, 'base64');
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
    sign(text) {
      const digest = createHmac('sha256', signingKey).update(text).digest();
      const characters = digest.subarray(0, SIGNATURE_CHARACTERS);
      return [...characters].map((byte) => BASE32.charAt(byte % BASE32.length)).join('');
    },
  };
}

/**
 * Creates the encryption of slugs in workflow histories, because slugs are secret (spec 11.3).
 * Deterministic: workflows compare slugs.
 */
export function createSlugEncryption(authSecret: string): Encryption {
  const ivKey = createHash('sha256').update(`slug iv ${authSecret}`).digest();
  const deriveIv = (slug: string) => createHmac('sha256', ivKey).update(slug).digest().subarray(0, IV_BYTES);
  return createEncryption(`slug ${authSecret}`, deriveIv);
}
