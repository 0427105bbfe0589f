import { DomainError } from '../../../domain/errors.ts';
import { endFamily, rotateFamily } from '../../../store/accounts/tokens.ts';
import { findAccount } from '../../../store/accounts/users.ts';
import type { UserDocument } from '../../../store/accounts/users.ts';
import { parseFamily } from '../../../application/auth/authority.ts';
import type { Authority } from '../../../application/auth/authority.ts';
import type { Claims } from '../../../application/auth/jwt.ts';
import type { TokenPair } from './schema.ts';
import { familyExpiry, newSerial, createTokenPair } from './token-pair.ts';

/**
 * A new pair for a refresh token, which is dead from then on. `belongsTo` says whether its user is
 * who they claim to be; if not, the token is not used up. A token that was used before ends its
 * family (spec 3.3).
 *
 * Throws DomainError `forbidden`, or `token_expired`.
 */
export async function refresh(
  authority: Authority,
  refreshToken: string,
  belongsTo: (user: UserDocument) => boolean,
): Promise<TokenPair> {
  const claims = await verifyRefreshToken(authority, refreshToken);
  const user = await findAccount({ _id: claims._id });
  if (!user || !belongsTo(user)) throw invalidTokenError();
  const { family, serial } = parseFamily(claims);
  const next = newSerial();
  const rotated = await rotateFamily(family, { serial, next, expiresAt: familyExpiry(user.role) });
  if (!rotated) return endReusedFamily(authority, family);
  return createTokenPair(authority.jwt, user, { family, serial: next });
}

async function verifyRefreshToken(authority: Authority, refreshToken: string): Promise<Claims> {
  const claims = await authority.jwt.verify(refreshToken).catch((error: unknown) => {
    if (error instanceof DomainError && error.code === 'token_expired') throw error;
    throw invalidTokenError();
  });
  if (claims.grant_type !== 'refresh_token') throw invalidTokenError();
  return claims;
}

async function endReusedFamily(authority: Authority, family: string): Promise<never> {
  await endFamily(family);
  authority.forget();
  throw invalidTokenError();
}

function invalidTokenError(): DomainError {
  return new DomainError('forbidden', 'The refresh token is not valid.');
}
