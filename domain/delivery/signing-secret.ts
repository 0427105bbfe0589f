import { invalidRequest } from '../errors.ts';

const PREFIX = 'whsec_';
/** A shorter secret could be guessed from one signature. */
const MIN_BYTES = 16;

/** Standard base64 alphabet with padding, which all verifiers accept. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const UNSEEN = String.raw`[\s\p{C}\p{Default_Ignorable_Code_Point}\u2800]`;
const UNSEEN_ENDS = new RegExp(`^${UNSEEN}+|${UNSEEN}+$`, 'gu');

/**
 * Origin of a secret. `ours`: chosen by API callers, checked by the rules of Standard Webhooks.
 * `foreign`: issued by a product such as GitHub or Stripe, so only certain mistakes are rejected.
 */
export type SecretOrigin = 'ours' | 'foreign';

/**
 * Returns a secret without surrounding white space and invisible characters. Throws DomainError
 * `invalid_request` (spec 7.7, 8.9) for a secret that is blank, too short or has a control
 * character, or with a misplaced `whsec_` or one that is not followed by base64 of at least 16
 * bytes. `path` is the field.
 */
export function parseSigningSecret(given: string, path: string, origin: SecretOrigin = 'ours'): string {
  const secret = given.replace(UNSEEN_ENDS, '');
  const problem = findSecretProblem(secret, origin);
  if (problem !== null) throw invalidRequest(path, problem);
  return secret;
}

/**
 * Returns whether a stored secret has a key. Fails closed for secrets that were changed by hand:
 * `parseSigningSecret` checks all others before they are stored.
 */
export function isUsableSecret(secret: string, origin: SecretOrigin = 'ours'): boolean {
  if (secret.trim() === '' || secret.trim() === PREFIX) return false;
  if (origin === 'foreign' || !secret.startsWith(PREFIX)) return true;
  // Decoders stop at the padding, and one base64 character is less than a byte.
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

/** Grace period of a replaced secret, so that receivers can switch (spec 7.7). */
const BOTH_MS = 24 * 3600 * 1000;
/** Each signature costs CPU time and header space in every delivery. */
const MAX_FORMERS = 2;

export interface FormerSecret {
  secret: string;
  /** Deliveries are signed with it until then. */
  until: Date;
}

/** Stored secrets of a service. */
interface Secrets {
  params: { secret?: string };
  formerSecrets?: FormerSecret[];
}

/**
 * Returns the former secrets after `next` replaces the current secret. A replaced secret stays
 * valid for 24 hours. Only the latest two are kept, and none if `next` is undefined, because
 * nothing is signed then.
 */
export function formerSecretsAfter(
  { params: { secret }, formerSecrets = [] }: Secrets,
  next: string | undefined,
  now: Date,
): FormerSecret[] {
  if (next === undefined) return [];
  const replaced =
    secret === undefined || secret === next ? [] : [{ secret, until: new Date(now.getTime() + BOTH_MS) }];
  const others = formerSecrets.filter((former) => former.secret !== secret);
  return [...replaced, ...others]
    .filter((former) => former.until > now && former.secret !== next)
    .slice(0, MAX_FORMERS);
}

/**
 * Returns the secrets to sign with, current first; empty if deliveries are unsigned. A secret with
 * an empty key is skipped: anyone could forge its signature.
 */
export function signingSecrets({ params: { secret }, formerSecrets = [] }: Secrets, now: Date): string[] {
  if (secret === undefined || !isUsableSecret(secret)) return [];
  const formers = formerSecrets.filter((former) => former.until > now && isUsableSecret(former.secret));
  return [secret, ...formers.slice(0, MAX_FORMERS).map((former) => former.secret)];
}
