import { invalidRequest } from '../refusal.ts';

const PREFIX = 'whsec_';
/** A shorter secret can be guessed from one signature. */
const MIN_BYTES = 16;

/** Standard alphabet with padding: verifiers in other languages take nothing else. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const UNSEEN = String.raw`[\s\p{C}\p{Default_Ignorable_Code_Point}\u2800]`;
const UNSEEN_ENDS = new RegExp(`^${UNSEEN}+|${UNSEEN}+$`, 'gu');

/**
 * Origin of a secret. `ours`: callers of the API, by the rules of Standard Webhooks. `foreign`: a
 * product such as GitHub or Stripe, so that only what is certainly a mistake is refused.
 */
export type SecretOrigin = 'ours' | 'foreign';

/**
 * Returns a secret without white space and invisible characters at its ends. Throws DomainError
 * `invalid_request` for one that cannot be what was meant (spec 7.7, 8.9): blank, with a control
 * character, or too short; `whsec_` that is not followed by base64 of at least 16 bytes, or does
 * not begin the text. `path` is the field.
 */
export function parseSigningSecret(given: string, path: string, origin: SecretOrigin = 'ours'): string {
  const secret = given.replace(UNSEEN_ENDS, '');
  const problem = findSecretProblem(secret, origin);
  if (problem !== null) throw invalidRequest(path, problem);
  return secret;
}

/**
 * Returns whether a stored secret may sign and verify: its key is not empty. `parseSigningSecret`
 * checks every secret before it is stored; this guard fails closed where the store was changed by
 * hand.
 */
export function isUsableSecret(secret: string, origin: SecretOrigin = 'ours'): boolean {
  if (secret.trim() === '' || secret.trim() === PREFIX) return false;
  if (origin === 'foreign' || !secret.startsWith(PREFIX)) return true;
  // Decoders end at the padding. One character of base64 is not a whole byte.
  const [key = ''] = secret.slice(PREFIX.length).split('=');
  return /[A-Za-z0-9+/_-]{2}/.test(key);
}

function findSecretProblem(secret: string, origin: SecretOrigin): string | null {
  if (secret === '') return 'must not be blank';
  if (/\p{Cc}/u.test(secret)) return 'must not have line breaks or other control characters';
  if (secret === PREFIX) return `must have a key behind ${PREFIX}`;
  if (origin === 'foreign') return null;
  if (secret.startsWith(PREFIX)) return findKeyProblem(secret.slice(PREFIX.length));
  if (/whsec_/i.test(secret)) return `must begin with ${PREFIX} in small letters, and have nothing around it`;
  if (/^wh[sp]k_/i.test(secret)) return 'must be a symmetric secret: asymmetric keys are not supported';
  const isLong = new TextEncoder().encode(secret).length >= MIN_BYTES;
  return isLong ? null : `must have at least ${MIN_BYTES} bytes`;
}

function findKeyProblem(key: string): string | null {
  if (!BASE64.test(key)) {
    return `must have base64 behind ${PREFIX}: letters, digits, + and /, padded with = to a multiple of four`;
  }
  const isLong = atob(key).length >= MIN_BYTES;
  return isLong ? null : `must have base64 of at least ${MIN_BYTES} bytes behind ${PREFIX}`;
}
