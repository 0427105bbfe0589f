import { createHash } from 'node:crypto';
import { DomainError, unprocessable } from '../../domain/errors.ts';
import { storeNow } from '../../store/cluster/clock.ts';
import { findAccount } from '../../store/accounts/users.ts';
import type { UserDocument } from '../../store/accounts/users.ts';
import { findRootOrganization } from '../../store/records/organizations.ts';
import type { Jwt } from './jwt.ts';

export interface PasswordLink {
  url: string;
  expiresAt: string;
}

interface LinkDeps {
  jwt: Jwt;
  publicUrl: string;
}

/** Creates a link by which the user sets a password (spec 3.9). */
export async function issuePasswordLink(
  user: UserDocument,
  lifetimeS: number,
  { jwt, publicUrl }: LinkDeps,
): Promise<PasswordLink> {
  const now = Math.floor(storeNow() / 1000);
  const token = await jwt.sign({
    _id: user._id,
    organization: user.organization,
    scope: '',
    grant_type: 'password_link',
    jti: digestCredentials(user),
    iat: now,
    exp: now + lifetimeS,
  });
  // The fragment of an address reaches no log.
  const url = `${publicUrl}/console#/password/${token}`;
  return { url, expiresAt: new Date((now + lifetimeS) * 1000).toISOString() };
}

/** Throws DomainError `unprocessable` for a link that was used, has expired or is forged. */
export async function findLinkedUser(token: string, jwt: Jwt): Promise<UserDocument> {
  const claims = await jwt.verify(token).catch((error: unknown) => {
    const isExpired = error instanceof DomainError && error.code === 'token_expired';
    throw isExpired ? unprocessable('The link has expired.') : invalidLinkError();
  });
  if (claims.grant_type !== 'password_link') throw invalidLinkError();
  const user = await findAccount({ _id: claims._id });
  if (!user || claims.jti !== digestCredentials(user)) throw invalidLinkError();
  return user;
}

/** Every program of the machine may have a session of these users (spec 12.4). */
export async function isOfFirstStart({ createdBy }: Pick<UserDocument, 'createdBy'>): Promise<boolean> {
  return createdBy === (await findRootOrganization())?._id;
}

/** A link is valid until the email or the password changes, so it works once. */
function digestCredentials({ email, passwordHash = '' }: UserDocument): string {
  return createHash('sha256').update(`${email}\n${passwordHash}`).digest('base64url');
}

function invalidLinkError(): DomainError {
  return unprocessable('The link is not valid: it was used, or the email or the password has changed since.');
}
