import { isUsableSecret } from './signing-secret.ts';

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
export interface Secrets {
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
