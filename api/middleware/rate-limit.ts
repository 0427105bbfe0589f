import type { Context, Middleware } from 'koa';
import { bearerToken } from '../resources/auth/schema.ts';
import { DomainError } from '../../domain/errors.ts';
import { addressOwner } from '../../platform/http/client-address.ts';
import type { RequestCounter, Usage } from '../limits/request-counter.ts';

// The end of a token is its signature: enough to tell tokens apart, without keeping them whole. The
// very last character has bits that nobody checks, by which one key could pass for several.
const TOKEN_TAIL = 64;

/**
 * At most `perSecond` requests a second for each client address (of IPv6: for each /64, which is
 * one client's), and for each token (spec 2.10). Answers tell the state of the tighter limit; what
 * is above it is refused before anything else happens. 0: no limit.
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
 * Returns the end of the token in one spelling of base64: its verification accepts padding and both
 * alphabets, so other spellings of a token are no other caller.
 */
export function identifyToken(token: string): string {
  const spelling = token
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/[^\w.-]/g, '');
  return spelling.slice(-TOKEN_TAIL, -1);
}

/**
 * Tells the caller how a limit stands. Throws DomainError `rate_limited` where this request is
 * above it.
 */
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
