import { createJwt } from '../../application/auth/jwt.ts';
import type { Product } from './product.ts';

/**
 * Token lifetimes to try in order. Most machines need only the first; a machine that stalls for
 * seconds needs a longer lifetime.
 */
const LIVES_SECONDS = [3, 15, 60];

/**
 * Runs `work` with an admin token that expires after a few seconds. If `work` returns false because
 * the token expired too early, runs `work` again with a longer lifetime. Returns the token and the
 * result.
 */
export async function whileTokenLasts<T>(
  product: Pick<Product, 'environment' | 'token'>,
  work: (token: string) => Promise<T | false>,
): Promise<{ token: string; done: T }> {
  const { sign, verify } = createJwt(product.environment['AUTH_SECRET'] ?? '');
  const claims = await verify(product.token);
  for (const seconds of LIVES_SECONDS) {
    const token = await sign({ ...claims, exp: Math.floor(Date.now() / 1000) + seconds });
    const done = await work(token);
    if (done !== false) return { token, done };
  }
  throw new Error(`not done within ${LIVES_SECONDS.at(-1)} s`);
}
