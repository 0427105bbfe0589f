import type { Principal } from '../../../application/auth/principal.ts';
import { DomainError, invalidRequest } from '../../../domain/errors.ts';
import type { UserDocument } from '../../../store/accounts/users.ts';
import { passwordMatches } from './password.ts';
import { LOGIN_LOCK_OUT, lockedForSeconds } from '../../../domain/limits/lock-out.ts';
import { storeNow } from '../../../store/cluster/clock.ts';
import { findLock, noteLoginFailure } from '../../../store/accounts/login-failures.ts';

/**
 * Throws DomainError `forbidden` for an API key: it has no session, and changes nobody's
 * credentials (spec 3).
 */
export function assertSession({ credential }: Principal): void {
  if ('apiKey' in credential) throw forbiddenError('this needs a login, an API key is not enough.');
}

/**
 * Lets a caller change what a user logs in with: in a session, and with the current password if it
 * is their own (spec 3). Throws DomainError `forbidden`, or what `requireCurrentPassword` throws.
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

/**
 * Throws DomainError `forbidden` unless the user is below an admin who calls: has a lower role, or
 * an organization below (spec 3).
 */
export function assertNotPeerAdmin(principal: Principal, { role, organization }: UserDocument): void {
  if (role === 'admin' && organization === principal.organization) {
    throw forbiddenError('only they themselves change the credentials of an admin of your own organization.');
  }
}

/**
 * Throws DomainError `invalid_request` where the password is missing, `unauthenticated` where it is
 * not the user's, `login_locked` after ten failures in 15 minutes: a wrong one counts as a failed
 * login (spec 3).
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

/**
 * Counts a failure for the email, and answers the error to be thrown: the one given, or that the
 * email is locked meanwhile.
 */
type CountFailure = (error: DomainError) => Promise<DomainError>;

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
