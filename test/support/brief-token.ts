import { createJwt } from '../../application/auth/jwt.ts';
import type { Product } from './product.ts';

/** The first is enough on most machines. A machine that stands still for seconds needs more. */
const LIVES_SECONDS = [3, 15, 60];

/**
 * Runs `work` with an access token of the product's admin that expires in seconds. Where `work`
 * returns false, the token expired too early: runs it again with a token that lives longer. Returns
 * the token and the result.
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
