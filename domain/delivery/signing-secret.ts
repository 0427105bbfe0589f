import { invalidRequest } from '../errors.ts';

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

/**
 * How long deliveries are signed with a replaced secret as well, so that its receiver can change in
 * peace (spec 7.7).
 */
const BOTH_MS = 24 * 3600 * 1000;
/** Each signature takes computing time and space in the headers of every delivery. */
const MAX_FORMERS = 2;

/** A secret that was replaced. */
export interface FormerSecret {
  secret: string;
  /** Deliveries are signed with it until then. */
  until: Date;
}

/** What a service is signed with, as it is stored. */
interface Secrets {
  params: { secret?: string };
  formerSecrets?: FormerSecret[];
}

/**
 * The former secrets of a service that gets `next` as its secret. The one that it replaces is good
 * for 24 hours more, and so is the one before it; older ones are dropped. Without a next one
 * nothing is signed, so none is kept.
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
 * The secrets to sign with, the current one first; none: unsigned. A secret whose key is empty
 * signs nothing: everybody could sign the same.
 */
export function signingSecrets({ params: { secret }, formerSecrets = [] }: Secrets, now: Date): string[] {
  if (secret === undefined || !isUsableSecret(secret)) return [];
  const formers = formerSecrets.filter((former) => former.until > now && isUsableSecret(former.secret));
  return [secret, ...formers.slice(0, MAX_FORMERS).map((former) => former.secret)];
}
