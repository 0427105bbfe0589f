import { DomainError } from '../../domain/errors.ts';
import { storeNow } from '../../store/clock.ts';
import { lockedUntil, noteLoginFailure } from '../../store/login-failures.ts';

const LOCK_OUT = { most: 10, withinMs: 15 * 60_000 };

const turns = new Map<string, Promise<unknown>>();

/** Counts a failure for the email, and answers the error to be thrown. */
export type Fail = (error: DomainError) => Promise<DomainError>;

/**
 * Runs one guess at a secret of the user with this email. Throws DomainError `login_locked`, without guessing, after ten failures in 15
 * minutes (contract 3). One guess at a time for each email: a hundred at once must not all be checked before the first is counted.
 */
export async function guarded<T>(email: string, guess: (fail: Fail) => Promise<T>): Promise<T> {
  const before = turns.get(email) ?? Promise.resolve();
  const mine = before.then(() => unlessLocked(email, guess));
  const settled = mine.catch(() => undefined);
  turns.set(email, settled);
  try {
    return await mine;
  } finally {
    if (turns.get(email) === settled) turns.delete(email);
  }
}

async function unlessLocked<T>(email: string, guess: (fail: Fail) => Promise<T>): Promise<T> {
  const until = await lockedUntil(email);
  if (until) throw lockedOut(until);
  return guess(async (error) => {
    await noteLoginFailure(email, LOCK_OUT);
    return error;
  });
}

function lockedOut(until: Date): DomainError {
  const retryAfterSeconds = Math.max(1, Math.ceil((until.getTime() - storeNow()) / 1000));
  return new DomainError('login_locked', 'Too many failed attempts. Please try again later.', {
    retryAfterSeconds,
  });
}
