import { randomBytes } from 'node:crypto';
import type { UserRole } from '../../../domain/scope.ts';
import { storeNow } from '../../../store/cluster/clock.ts';
import { newId } from '../../../store/queries/identifier.ts';
import { endFamily, insertFamily } from '../../../store/accounts/tokens.ts';
import { findAccount } from '../../../store/accounts/users.ts';
import type { UserDocument } from '../../../store/accounts/users.ts';
import { scopeClaim } from '../../../application/auth/authority.ts';
import type { Jwt } from '../../../application/auth/jwt.ts';
import { wrongLoginError } from './login.ts';
import type { TokenPair } from './schema.ts';

const DAY_SECONDS = 24 * 60 * 60;

/** See spec 3.2. */
function getLifetimes(role: UserRole): { accessSeconds: number; refreshSeconds: number } {
  return role === 'bot'
    ? { accessSeconds: 30 * DAY_SECONDS, refreshSeconds: 90 * DAY_SECONDS }
    : { accessSeconds: DAY_SECONDS, refreshSeconds: 30 * DAY_SECONDS };
}

export function newSerial(): string {
  return randomBytes(12).toString('base64url');
}

export function familyExpiry(role: UserRole): Date {
  const { accessSeconds, refreshSeconds } = getLifetimes(role);
  return new Date(storeNow() + Math.max(accessSeconds, refreshSeconds) * 1000);
}

/**
 * Throws DomainError `unauthenticated` if the password was changed during the login: the change
 * must end this family, too.
 */
export async function openFamily(jwt: Jwt, user: UserDocument): Promise<TokenPair> {
  const family = newId();
  const serial = newSerial();
  await insertFamily({ _id: family, user: user._id, serial, expiresAt: familyExpiry(user.role) });
  const now = await findAccount({ _id: user._id });
  if (now?.passwordHash !== user.passwordHash) {
    await endFamily(family);
    throw wrongLoginError();
  }
  return createTokenPair(jwt, user, { family, serial });
}

export async function createTokenPair(
  jwt: Jwt,
  user: UserDocument,
  { family, serial }: { family: string; serial: string },
): Promise<TokenPair> {
  const { accessSeconds, refreshSeconds } = getLifetimes(user.role);
  const iat = Math.floor(storeNow() / 1000);
  const exp = iat + accessSeconds;
  const scope = scopeClaim(user);
  const shared = { _id: user._id, organization: user.organization, scope, iat };
  const [token, refreshToken] = await Promise.all([
    jwt.sign({ ...shared, grant_type: 'access_token', jti: `${family}.${newSerial()}`, exp }),
    jwt.sign({
      ...shared,
      grant_type: 'refresh_token',
      jti: `${family}.${serial}`,
      exp: iat + refreshSeconds,
    }),
  ]);
  const { _id, organization } = user;
  const expiresAt = new Date(exp * 1000);
  return { tokenType: 'Bearer', token, refreshToken, user: _id, organization, expiresAt, scope };
}
