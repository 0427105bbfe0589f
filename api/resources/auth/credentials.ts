import type { Principal } from '../../../application/auth/principal.ts';
import { DomainError } from '../../../domain/errors.ts';
import { invalidRequest } from '../../../domain/refusal.ts';
import type { UserDocument } from '../../../store/accounts/users.ts';
import { runGuess } from './lock-out.ts';
import { passwordMatches } from './password.ts';

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
