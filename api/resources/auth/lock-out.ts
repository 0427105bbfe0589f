import { DomainError } from '../../../domain/errors.ts';
import { LOGIN_LOCK_OUT, lockedForSeconds } from '../../../domain/limits/lock-out.ts';
import { storeNow } from '../../../store/cluster/clock.ts';
import { findLock, noteLoginFailure } from '../../../store/accounts/login-failures.ts';

const turns = new Map<string, Promise<unknown>>();

/**
 * Counts a failure for the email, and answers the error to be thrown: the one given, or that the
 * email is locked meanwhile.
 */
export type Fail = (error: DomainError) => Promise<DomainError>;

/**
 * Runs one guess at a secret of the user with this email. Throws DomainError `login_locked` after
 * ten failures in 15 minutes, without guessing, and whatever came of a guess that other processes
 * have overtaken (spec 3.3): eleven guesses are never answered. What follows from a right one is
 * done after this, not within. One guess at a time for each email, so that a hundred at once cost
 * no more than ten.
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
  await refuseLocked(email);
  const right = await guess(async (error) => {
    const until = await noteLoginFailure(email, LOGIN_LOCK_OUT);
    return until ? lockedOut(until) : error;
  });
  await refuseLocked(email);
  return right;
}

async function refuseLocked(email: string): Promise<void> {
  const until = await findLock(email, LOGIN_LOCK_OUT);
  if (until) throw lockedOut(until);
}

function lockedOut(until: Date): DomainError {
  return new DomainError('login_locked', 'Too many failed attempts. Please try again later.', {
    retryAfterSeconds: lockedForSeconds(until, storeNow()),
  });
}
