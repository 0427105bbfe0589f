/** So many failures within that time lock an email for as long again, from the last of them on. */
export interface LockOut {
  maxFailures: number;
  windowMs: number;
}

/** Of guesses at the password or the one-time password of one email (spec 3.3). */
export const LOGIN_LOCK_OUT: LockOut = { maxFailures: 10, windowMs: 15 * 60_000 };

/**
 * Until when failures at these times, oldest first, lock what they were guesses at; null: they do
 * not, or not any more. `now` is milliseconds since 1970.
 */
export function lockedUntil(
  failures: readonly Date[],
  { maxFailures, windowMs }: LockOut,
  now: number,
): Date | null {
  const last = failures[maxFailures - 1];
  const until = last && new Date(last.getTime() + windowMs);
  return until && until.getTime() > now ? until : null;
}

/** A failure at this time or before does not count any more at `now`. */
export function forgottenBefore({ windowMs }: LockOut, now: number): Date {
  return new Date(now - windowMs);
}

/** Seconds that a caller who is locked out is told to wait, at least one. */
export function lockedForSeconds(until: Date, now: number): number {
  return Math.max(1, Math.ceil((until.getTime() - now) / 1000));
}
