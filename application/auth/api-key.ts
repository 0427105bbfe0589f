import { invalidTokenError } from './jwt.ts';
import type { Claims, Jwt } from './jwt.ts';

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
