import { createHash } from 'node:crypto';
import type { Static } from 'typebox';
import { DomainError, notFound, unprocessable } from '../../../domain/errors.ts';
import { endFamilies } from '../../../store/accounts/tokens.ts';
import { findAccount, findUser, updateUser } from '../../../store/accounts/users.ts';
import type { UserDocument } from '../../../store/accounts/users.ts';
import { storeNow } from '../../../store/cluster/clock.ts';
import type { Authority } from '../../../application/auth/authority.ts';
import type { Api, ApiRequest, HandlerResult, OpenRequest } from '../../request.ts';
import { assertNotPeerAdmin } from './credentials.ts';
import { assertNotOfFirstStart } from '../users/users.ts';
import { hashPassword } from './password.ts';
import type { passwordInput } from './schema.ts';

const LIFETIME_S = 3 * 24 * 60 * 60;

/** POST /users/{id}/password-link (spec 3.9) */
export async function createPasswordLink(
  { principal, id }: ApiRequest,
  { authority, config }: Api,
): Promise<HandlerResult> {
  const user = await findUser(principal.reach, id);
  if (!user) throw notFound('The user');
  // The creator could have set the first password.
  const isInvitation = user.passwordHash === undefined && user.createdBy === principal.user;
  if (!isInvitation) assertNotPeerAdmin(principal, user);
  await assertNotOfFirstStart(user);
  const now = Math.floor(storeNow() / 1000);
  const token = await authority.jwt.sign({
    _id: user._id,
    organization: user.organization,
    scope: '',
    grant_type: 'password_link',
    jti: digestCredentials(user),
    iat: now,
    exp: now + LIFETIME_S,
  });
  // The fragment of an address reaches no log.
  const url = `${config.publicUrl}/console#/password/${token}`;
  return { status: 200, body: { url, expiresAt: new Date((now + LIFETIME_S) * 1000).toISOString() } };
}

/** PUT /auth/password: ends all sessions of the user (spec 3.9). */
export async function setPassword(
  { body: { token, password }, client }: OpenRequest<Static<typeof passwordInput>>,
  { authority }: Api,
): Promise<HandlerResult> {
  const user = await findLinkedUser(token, authority);
  const passwordHash = await hashPassword(password, client.address);
  const reach = { organization: user.organization };
  if (!(await updateUser(reach, user._id, { passwordHash }, user))) {
    throw new DomainError('conflict', 'The user was changed at the same time. Please try again.');
  }
  await endFamilies(user._id);
  authority.forget();
  return { status: 200, body: { user: user._id, email: user.email } };
}

async function findLinkedUser(token: string, { jwt }: Authority): Promise<UserDocument> {
  const claims = await jwt.verify(token).catch((error: unknown) => {
    const isExpired = error instanceof DomainError && error.code === 'token_expired';
    throw isExpired ? unprocessable('The link has expired.') : invalidLinkError();
  });
  if (claims.grant_type !== 'password_link') throw invalidLinkError();
  const user = await findAccount({ _id: claims._id });
  if (!user || claims.jti !== digestCredentials(user)) throw invalidLinkError();
  return user;
}

/** A link is valid until the email or the password changes, so it works once. */
function digestCredentials({ email, passwordHash = '' }: UserDocument): string {
  return createHash('sha256').update(`${email}\n${passwordHash}`).digest('base64url');
}

function invalidLinkError(): DomainError {
  return unprocessable('The link is not valid: it was used, or the email or the password has changed since.');
}
