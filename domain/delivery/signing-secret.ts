import { invalidRequest } from '../errors.ts';

const PREFIX = 'whsec_';
/** A shorter secret could be guessed from a signature. */
const MIN_BYTES = 16;

/** Other products have secrets of this length. */
const MIN_FOREIGN_CHARACTERS = 8;
/** Matches what programs write for a variable that is not set. */
const PLACEHOLDER = /^(?:null|undefined|none|nil|nan|\[object \w+\]|[<{$]+[\w .-]*[>}]*)$/i;

/** Padded base64, which all verifiers accept. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const UNSEEN = String.raw`[\s\p{C}\p{Default_Ignorable_Code_Point}\u2800]`;
const UNSEEN_ENDS = new RegExp(`^${UNSEEN}+|${UNSEEN}+$`, 'gu');

/** `ours`: by the rules of Standard Webhooks. `foreign`: from a product such as GitHub. */
export type SecretOrigin = 'ours' | 'foreign';

/** Trims invisible characters. Throws DomainError `invalid_request` (spec 7.7, 8.9). */
export function parseSigningSecret(given: string, path: string, origin: SecretOrigin = 'ours'): string {
  const secret = given.replace(UNSEEN_ENDS, '');
  const problem = findSecretProblem(secret, origin);
  if (problem !== null) throw invalidRequest(path, problem);
  return secret;
}

/** Returns false for stored secrets without a key. */
export function isUsableSecret(secret: string, origin: SecretOrigin = 'ours'): boolean {
  if (secret.trim() === '' || secret.trim() === PREFIX) return false;
  if (origin === 'foreign' || !secret.startsWith(PREFIX)) return true;
  // Decoders stop at the padding. One base64 character is less than a byte.
  const [key = ''] = secret.slice(PREFIX.length).split('=');
  return /[A-Za-z0-9+/_-]{2}/.test(key);
}

function findSecretProblem(secret: string, origin: SecretOrigin): string | null {
  if (secret === '') return 'must not be blank';
  if (/\p{Cc}/u.test(secret)) return 'must not have line breaks or other control characters';
  if (secret === PREFIX) return `must have a key behind ${PREFIX}`;
  if (PLACEHOLDER.test(secret)) return 'must be a secret, not the name of a missing value';
  if (origin === 'foreign') {
    const isLong = Array.from(secret).length >= MIN_FOREIGN_CHARACTERS;
    return isLong ? null : `must have at least ${MIN_FOREIGN_CHARACTERS} characters`;
  }
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

/** Grace period in which receivers switch to a new secret (spec 7.7). */
const BOTH_MS = 24 * 3600 * 1000;
/** Bounded, because each signature costs time and header space. */
const MAX_FORMERS = 2;

export interface FormerSecret {
  secret: string;
  until: Date;
}

interface Secrets {
  params: { secret?: string };
  formerSecrets?: FormerSecret[];
}

/** Returns the replaced secrets, at most two, each valid for 24 hours. Empty without `next`. */
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
 * Returns the secrets that sign requests, the current secret first. Empty: requests are unsigned.
 * Skips empty keys: anyone could forge their signatures.
 */
export function signingSecrets({ params: { secret }, formerSecrets = [] }: Secrets, now: Date): string[] {
  if (secret === undefined || !isUsableSecret(secret)) return [];
  const formers = formerSecrets.filter((former) => former.until > now && isUsableSecret(former.secret));
  return [secret, ...formers.slice(0, MAX_FORMERS).map((former) => former.secret)];
}
