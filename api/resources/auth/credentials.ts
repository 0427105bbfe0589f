import type { Principal } from '../../../application/auth/principal.ts';
import { DomainError, invalidRequest } from '../../../domain/errors.ts';
import type { UserDocument } from '../../../store/accounts/users.ts';
import { passwordMatches } from './password.ts';
import { LOGIN_LOCK_OUT, lockedForSeconds } from '../../../domain/limits/lock-out.ts';
import { storeNow } from '../../../store/cluster/clock.ts';
import { countAttempt, findLock } from '../../../store/accounts/lock-outs.ts';

export function assertSession({ credential }: Principal): void {
  if ('apiKey' in credential) throw forbiddenError('an API key is not enough, this needs a session.');
}

/** Requires a session, and the current password for the caller's own account (spec 3). */
export async function assertCredentialRights(
  principal: Principal,
  user: UserDocument,
  currentPassword: string | undefined,
): Promise<void> {
  assertSession(principal);
  if (user._id === principal.user) await assertCurrentPassword(user, currentPassword);
  else assertNotPeerAdmin(principal, user);
}

/** See spec 3. */
export function assertNotPeerAdmin(principal: Principal, { role, organization }: UserDocument): void {
  if (role === 'admin' && organization === principal.organization) {
    throw forbiddenError('an admin of your own organization changes their credentials themselves.');
  }
}

/** Throws for a wrong password, and counts it as a failed login (spec 3). */
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

/** Counts a failure. Returns the error to throw. */
type CountFailure = (error: DomainError) => Promise<DomainError>;

/**
 * Runs one guess per email at a time. Throws DomainError `login_locked` after ten failures in 15
 * minutes (spec 3.3). Other processes may count failures during the guess: act on a right guess
 * only after this call.
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
    const until = await countAttempt(email, LOGIN_LOCK_OUT);
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
