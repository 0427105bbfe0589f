import type { Context, Middleware } from 'koa';
import { bearerToken } from '../resources/auth/schema.ts';
import { DomainError } from '../../domain/errors.ts';
import { addressOwner } from '../../platform/http/client-address.ts';
import type { RequestCounter, Usage } from '../limits/request-counter.ts';

// The end of a token is its signature, which identifies it without storing it whole. The last
// character has unused bits: with it, one token could pass for several.
const TOKEN_TAIL = 64;

/**
 * Limits the requests per second of each client address (IPv6: each /64 network) and of each token
 * (spec 2.10). The RateLimit headers describe the tighter limit. 0 disables the limit.
 */
export function rateLimit(perSecond: number, count: RequestCounter): Middleware {
  if (perSecond === 0) return (_, next) => next();
  return async (ctx, next) => {
    const token = bearerToken(ctx.get('Authorization'));
    const [ofAddress, ofToken = ofAddress] = await Promise.all([
      count(`address ${addressOwner(ctx.ip)}`),
      ...(token === undefined ? [] : [count(`token ${identifyToken(token)}`)]),
    ]);
    assertWithinRate(ctx, perSecond, ofToken.requests > ofAddress.requests ? ofToken : ofAddress);
    await next();
  };
}

/**
 * Returns the end of the token in a normal form. Verification accepts padding and both base64
 * alphabets, and different spellings must share one limit.
 */
export function identifyToken(token: string): string {
  const spelling = token
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/[^\w.-]/g, '');
  return spelling.slice(-TOKEN_TAIL, -1);
}

/** Sets the RateLimit headers. Throws DomainError `rate_limited` above the limit. */
export function assertWithinRate(
  ctx: Pick<Context, 'set'>,
  perSecond: number,
  { requests, endsInMs }: Usage,
): void {
  const resetSeconds = Math.max(1, Math.ceil(endsInMs / 1000));
  ctx.set({
    'RateLimit-Limit': String(perSecond),
    'RateLimit-Remaining': String(Math.max(0, perSecond - requests)),
    'RateLimit-Reset': String(resetSeconds),
  });
  if (requests > perSecond) throw tooManyRequestsError(perSecond, resetSeconds);
}

function tooManyRequestsError(perSecond: number, retryAfterSeconds: number): DomainError {
  return new DomainError('rate_limited', `At most ${perSecond} requests per second are served.`, {
    retryAfterSeconds,
  });
}
