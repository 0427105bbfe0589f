/** `maxFailures` within `windowMs` lock an email for `windowMs` after the last failure. */
export interface LockOut {
  maxFailures: number;
  windowMs: number;
}

/** Per email (spec 3.3). */
export const LOGIN_LOCK_OUT: LockOut = { maxFailures: 10, windowMs: 15 * 60_000 };

/** `failures` are oldest first, `now` is epoch milliseconds. */
export function lockedUntil(
  failures: readonly Date[],
  { maxFailures, windowMs }: LockOut,
  now: number,
): Date | null {
  const last = failures[maxFailures - 1];
  const until = last && new Date(last.getTime() + windowMs);
  return until && until.getTime() > now ? until : null;
}

export function forgottenBefore({ windowMs }: LockOut, now: number): Date {
  return new Date(now - windowMs);
}

export function lockedForSeconds(until: Date, now: number): number {
  return Math.max(1, Math.ceil((until.getTime() - now) / 1000));
}
