import type { Context, Middleware } from 'koa';
import { bearerToken } from '../resources/auth/schema.ts';
import { DomainError } from '../../domain/errors.ts';
import { addressOwner } from '../../platform/http/client-address.ts';
import type { RequestCounter, Usage } from '../limits/request-counter.ts';

// The signature identifies a token without storing it whole. Its last character has unused bits:
// with it, one token could pass for several.
const TOKEN_TAIL = 64;

/**
 * Limits each client address (IPv6: /64 network) and each token (spec 2.10). The headers describe
 * the tighter limit. 0 disables it.
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

/** Normalizes padding and base64 alphabet: all spellings of a token share one limit. */
export function identifyToken(token: string): string {
  const spelling = token
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/[^\w.-]/g, '');
  return spelling.slice(-TOKEN_TAIL, -1);
}

/** Throws DomainError `rate_limited` above the limit. */
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
