import { cascade, highestScope, lowerScope, toScope } from '../../domain/scope.ts';
import { findApiKey, noteApiKeyUse } from '../../store/accounts/apikeys.ts';
import { storeNow } from '../../store/cluster/clock.ts';
import { ttlCache } from '../../store/queries/ttl-cache.ts';
import { isFamilyActive } from '../../store/accounts/tokens.ts';
import { findAccount } from '../../store/accounts/users.ts';
import type { UserDocument } from '../../store/accounts/users.ts';
import type { Principal } from './principal.ts';
import { createJwt, invalidTokenError } from './jwt.ts';
import type { Claims, Jwt } from './jwt.ts';

// Revocations must take effect within five seconds (spec 3.6).
const MAX_AGE_MS = 4_000;

export interface Authority {
  jwt: Jwt;
  /** Throws DomainError `unauthenticated`, or for an expired token `token_expired`. */
  authenticate: (token: string) => Promise<Principal>;
  /** Call it after a change of users, keys or token families. */
  forget: () => void;
}

export function createAuthority(secret: string): Authority {
  const jwt = createJwt(secret);
  const known = ttlCache({
    maxAgeMs: MAX_AGE_MS,
    max: 10_000,
    load: async (token) => {
      const claims = await verifyToken(jwt, token);
      return { claims, principal: await loadPrincipal(claims) };
    },
  });
  return {
    jwt,
    async authenticate(token) {
      const { claims, principal } = await known.get(token);
      if (claims.exp !== undefined && claims.exp * 1000 <= storeNow()) await verifyToken(jwt, token);
      return principal;
    },
    forget: () => known.clear(),
  };
}

export function scopeClaim({ role }: Pick<UserDocument, 'role'>): string {
  return cascade(toScope(role)).join(' ');
}

export function parseFamily({ jti }: Pick<Claims, 'jti'>): { family: string; serial: string } {
  const [family = '', serial = ''] = jti.split('.');
  return { family, serial };
}

async function loadPrincipal(claims: Claims): Promise<Principal> {
  const [user, credential] = await Promise.all([findAccount({ _id: claims._id }), loadCredential(claims)]);
  const granted = highestScope(claims.scope.split(' '));
  if (!user || !credential || !granted) throw invalidTokenError();
  const scope = lowerScope(granted, toScope(user.role));
  const { organization } = user;
  return {
    user: user._id,
    organization,
    role: user.role,
    scope,
    reach: { organization, ...(scope === 'guest' ? { guest: user._id } : {}) },
    credential,
  };
}

async function loadCredential(claims: Claims): Promise<Principal['credential'] | null> {
  switch (claims.grant_type) {
    case 'refresh_token':
    case 'password_link':
      return null;
    case 'api_key': {
      const key = await findApiKey(claims.jti);
      if (key?.user !== claims._id) return null;
      await noteApiKeyUse(key).catch(() => undefined);
      return { apiKey: key._id };
    }
    case 'access_token': {
      const { family } = parseFamily(claims);
      return (await isFamilyActive(family)) ? { family } : null;
    }
  }
}

/** Prefix by which secret scanners recognise leaked keys (spec 3). */
const PREFIX = 'plk_';

export async function signApiKey(jwt: Jwt, claims: Omit<Claims, 'grant_type'>): Promise<string> {
  return PREFIX + (await jwt.sign({ ...claims, grant_type: 'api_key' }));
}

/**
 * Verifies a token. API keys are also valid without the prefix, because some clients strip it to
 * parse the JWT.
 */
export async function verifyToken(jwt: Jwt, token: string): Promise<Claims> {
  if (!token.startsWith(PREFIX)) return jwt.verify(token);
  const claims = await jwt.verify(token.slice(PREFIX.length));
  if (claims.grant_type !== 'api_key') throw invalidTokenError();
  return claims;
}
