import { DomainError } from '../../../domain/errors.ts';
import { LOGIN_LOCK_OUT, lockedForSeconds } from '../../../domain/limits/lock-out.ts';
import { storeNow } from '../../../store/cluster/clock.ts';
import { findLock, noteLoginFailure } from '../../../store/accounts/login-failures.ts';

const turns = new Map<string, Promise<unknown>>();

/**
 * Counts a failure for the email, and answers the error to be thrown: the one given, or that the
 * email is locked meanwhile.
 */
export type CountFailure = (error: DomainError) => Promise<DomainError>;

/**
 * Runs one guess at a secret of the user with this email. Throws DomainError `login_locked` after
 * ten failures in 15 minutes, without guessing, and whatever came of a guess that other processes
 * have overtaken (spec 3.3): eleven guesses are never answered. What follows from a right one is
 * done after this, not within. One guess at a time for each email, so that a hundred at once cost
 * no more than ten.
 */
export async function runGuess<T>(email: string, guess: (fail: CountFailure) => Promise<T>): Promise<T> {
  const before = turns.get(email) ?? Promise.resolve();
  const mine = before.then(() => guessUnlessLocked(email, guess));
  const settled = mine.catch(() => undefined);
  turns.set(email, settled);
  try {
    return await mine;
  } finally {
    if (turns.get(email) === settled) turns.delete(email);
  }
}

async function guessUnlessLocked<T>(email: string, guess: (fail: CountFailure) => Promise<T>): Promise<T> {
  await assertNotLocked(email);
  const right = await guess(async (error) => {
    const until = await noteLoginFailure(email, LOGIN_LOCK_OUT);
    return until ? lockedOutError(until) : error;
  });
  await assertNotLocked(email);
  return right;
}

async function assertNotLocked(email: string): Promise<void> {
  const until = await findLock(email, LOGIN_LOCK_OUT);
  if (until) throw lockedOutError(until);
}

function lockedOutError(until: Date): DomainError {
  return new DomainError('login_locked', 'Too many failed attempts. Please try again later.', {
    retryAfterSeconds: lockedForSeconds(until, storeNow()),
  });
}
