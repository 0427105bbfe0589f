import type { Principal } from '../../../application/auth/principal.ts';
import { DomainError, invalidRequest } from '../../../domain/errors.ts';
import type { UserDocument } from '../../../store/accounts/users.ts';
import { passwordMatches } from './password.ts';
import { LOGIN_LOCK_OUT, lockedForSeconds } from '../../../domain/limits/lock-out.ts';
import { storeNow } from '../../../store/cluster/clock.ts';
import { findLock, noteLoginFailure } from '../../../store/accounts/login-failures.ts';

/** Throws DomainError `forbidden` for an API key (spec 3). */
export function assertSession({ credential }: Principal): void {
  if ('apiKey' in credential) throw forbiddenError('this needs a login, an API key is not enough.');
}

/**
 * Requires a session, and the current password for the caller's own account (spec 3). Throws
 * DomainError `forbidden`, or as `assertCurrentPassword` does.
 */
export async function assertCredentialRights(
  principal: Principal,
  user: UserDocument,
  currentPassword: string | undefined,
): Promise<void> {
  assertSession(principal);
  if (user._id === principal.user) await assertCurrentPassword(user, currentPassword);
  else assertNotPeerAdmin(principal, user);
}

/** Throws DomainError `forbidden` for another admin of the caller's organization (spec 3). */
export function assertNotPeerAdmin(principal: Principal, { role, organization }: UserDocument): void {
  if (role === 'admin' && organization === principal.organization) {
    throw forbiddenError('only they themselves change the credentials of an admin of your own organization.');
  }
}

/**
 * Throws DomainError `invalid_request`, `unauthenticated` or `login_locked`. A wrong password
 * counts as a failed login (spec 3).
 */
export async function assertCurrentPassword(user: UserDocument, given: string | undefined): Promise<void> {
  if (given === undefined) throw invalidRequest('currentPassword', 'is required');
  await runGuess(user.email, async (fail) => {
    const { passwordHash, _id: asker } = user;
    if (!(await passwordMatches({ passwordHash, password: given, asker })))
      throw await fail(wrongPasswordError());
  });
}

function wrongPasswordError(): DomainError {
  const [path, message] = ['currentPassword', 'is wrong'];
  return new DomainError('unauthenticated', `${path}: ${message}`, { details: [{ path, message }] });
}

function forbiddenError(reason: string): DomainError {
  return new DomainError('forbidden', `Not allowed: ${reason}`);
}

const turns = new Map<string, Promise<unknown>>();

/** Counts a failure. Returns the given error, or the lock-out error if the email is now locked. */
type CountFailure = (error: DomainError) => Promise<DomainError>;

/**
 * Runs `guess`, one at a time per email. Throws DomainError `login_locked` after ten failures in 15
 * minutes. Checks the lock before and after the guess, because other processes count failures, too:
 * an eleventh guess never gets a result (spec 3.3). Do follow-up work after this call, not in
 * `guess`: the second check may still reject it.
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
