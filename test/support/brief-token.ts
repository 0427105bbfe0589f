import { createJwt } from '../../auth/jwt.ts';
import type { Product } from './product.ts';

/** Long enough on most machines. One that stands still for a while needs a longer one. */
const LIVES_SECONDS = [3, 15, 60];

/**
 * Runs `work` with an access token of the product's admin that expires in seconds, and again with
 * one that lives longer where `work` returns false: the token expired before it was done. Returns
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
