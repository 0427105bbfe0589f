/** `maxAttempts` within `windowMs` lock a key for `windowMs` after the last attempt. */
export interface LockOut {
  maxAttempts: number;
  windowMs: number;
}

/** Per email (spec 3.3). */
export const LOGIN_LOCK_OUT: LockOut = { maxAttempts: 10, windowMs: 15 * 60_000 };

/** `attempts` are oldest first, `now` is epoch milliseconds. */
export function lockedUntil(
  attempts: readonly Date[],
  { maxAttempts, windowMs }: LockOut,
  now: number,
): Date | null {
  const last = attempts[maxAttempts - 1];
  const until = last && new Date(last.getTime() + windowMs);
  return until && until.getTime() > now ? until : null;
}

export function forgottenBefore({ windowMs }: LockOut, now: number): Date {
  return new Date(now - windowMs);
}

export function lockedForSeconds(until: Date, now: number): number {
  return Math.max(1, Math.ceil((until.getTime() - now) / 1000));
}
