import { invalidToken } from './jwt.ts';
import type { Claims, Jwt } from './jwt.ts';

/** By this beginning, secret scanners know an API key that was published by mistake (spec 3). */
const PREFIX = 'plk_';

/** A new API key. */
export async function signApiKey(jwt: Jwt, claims: Omit<Claims, 'grant_type'>): Promise<string> {
  return PREFIX + (await jwt.sign({ ...claims, grant_type: 'api_key' }));
}

/**
 * The claims of a token of any kind, as `Jwt.verify` answers them. Older API keys have no
 * beginning; other tokens never have it.
 */
export async function verifyToken(jwt: Jwt, token: string): Promise<Claims> {
  if (!token.startsWith(PREFIX)) return jwt.verify(token);
  const claims = await jwt.verify(token.slice(PREFIX.length));
  if (claims.grant_type !== 'api_key') throw invalidToken();
  return claims;
}
