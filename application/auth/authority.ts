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

// What another process revokes is refused here five seconds later at most (spec 3.6).
const MAX_AGE_MS = 4_000;

/** Decides who a token speaks for. */
export interface Authority {
  jwt: Jwt;
  /**
   * Whom an access token or API key speaks for, with what they may do now. Throws DomainError
   * `unauthenticated` for a token that is forged, revoked or of another kind, `token_expired` for
   * one whose time is over.
   */
  authenticate: (token: string) => Promise<Principal>;
  /** Makes this process see at once what it changed: users, keys, families. */
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

/** A token's `scope` claim for a user: all that the role includes. */
export function scopeClaim({ role }: Pick<UserDocument, 'role'>): string {
  return cascade(toScope(role)).join(' ');
}

/**
 * The family that a time-based token belongs to is the first part of its `jti`; the rest tells it
 * from its brothers.
 */
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
      return null;
    case 'api_key': {
      const key = await findApiKey(claims.jti);
      if (key?.user !== claims._id) return null;
      // A store that does not take it down is no reason to refuse the request.
      await noteApiKeyUse(key).catch(() => undefined);
      return { apiKey: key._id };
    }
    case 'access_token': {
      const { family } = parseFamily(claims);
      return (await isFamilyActive(family)) ? { family } : null;
    }
  }
}

/** By this beginning, secret scanners know an API key that was published by mistake (spec 3). */
const PREFIX = 'plk_';

/** A new API key. */
export async function signApiKey(jwt: Jwt, claims: Omit<Claims, 'grant_type'>): Promise<string> {
  return PREFIX + (await jwt.sign({ ...claims, grant_type: 'api_key' }));
}

/**
 * The claims of a token of any kind, as `Jwt.verify` returns them. An API key is accepted with and
 * without the prefix: clients that read the JWT send it bare. Other tokens never have the prefix.
 */
export async function verifyToken(jwt: Jwt, token: string): Promise<Claims> {
  if (!token.startsWith(PREFIX)) return jwt.verify(token);
  const claims = await jwt.verify(token.slice(PREFIX.length));
  if (claims.grant_type !== 'api_key') throw invalidTokenError();
  return claims;
}
