import { DomainError } from '../../../domain/errors.ts';
import { endFamily, rotateFamily } from '../../../store/accounts/tokens.ts';
import { findAccount } from '../../../store/accounts/users.ts';
import type { UserDocument } from '../../../store/accounts/users.ts';
import { familyOf } from '../../../application/auth/authority.ts';
import type { Authority } from '../../../application/auth/authority.ts';
import type { Claims } from '../../../application/auth/jwt.ts';
import type { TokenPair } from './schema.ts';
import { familyExpiry, newSerial, tokenPair } from './token-pair.ts';

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
  const claims = await claimsOf(authority, refreshToken);
  const user = await findAccount({ _id: claims._id });
  if (!user || !belongsTo(user)) throw refused();
  const { family, serial } = familyOf(claims);
  const next = newSerial();
  const rotated = await rotateFamily(family, { serial, next, expiresAt: familyExpiry(user.role) });
  if (!rotated) return endReused(authority, family);
  return tokenPair(authority.jwt, user, { family, serial: next });
}

async function claimsOf(authority: Authority, refreshToken: string): Promise<Claims> {
  const claims = await authority.jwt.verify(refreshToken).catch((error: unknown) => {
    if (error instanceof DomainError && error.code === 'token_expired') throw error;
    throw refused();
  });
  if (claims.grant_type !== 'refresh_token') throw refused();
  return claims;
}

async function endReused(authority: Authority, family: string): Promise<never> {
  await endFamily(family);
  authority.forget();
  throw refused();
}

function refused(): DomainError {
  return new DomainError('forbidden', 'The refresh token is not valid.');
}
