import type { Middleware } from 'koa';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { DomainError } from '../../domain/errors.ts';
import { bearerToken } from '../auth/bearer.ts';

// The end of a token is its signature: enough to tell tokens apart, without keeping them whole.
const TOKEN_TAIL = 64;

/**
 * At most `perSecond` requests a second for each client address, and for each token (spec 8). Answers tell the state of the tighter
 * limit; what is above it is refused before anything else happens. 0: no limit.
 */
export function rateLimit(perSecond: number): Middleware {
  if (perSecond === 0) return (_, next) => next();
  const limiter = new RateLimiterMemory({ points: perSecond, duration: 1 });
  return async (ctx, next) => {
    const token = bearerToken(ctx.get('Authorization'));
    const keys = [`address ${ctx.ip}`, ...(token ? [`token ${token.slice(-TOKEN_TAIL)}`] : [])];
    const states = await Promise.all(keys.map((key) => limiter.consume(key).catch(refused)));
    const tightest = states.reduce((a, b) => (isTighter(b, a) ? b : a));
    const resetSeconds = Math.max(1, Math.ceil(tightest.msBeforeNext / 1000));
    ctx.set({
      'RateLimit-Limit': String(perSecond),
      'RateLimit-Remaining': String(tightest.remainingPoints),
      'RateLimit-Reset': String(resetSeconds),
    });
    if (tightest.consumedPoints > perSecond) throw tooMany(perSecond, resetSeconds);
    await next();
  };
}

function isTighter(one: RateLimiterRes, other: RateLimiterRes): boolean {
  return one.consumedPoints > other.consumedPoints;
}

// The limiter rejects with its state when the limit is passed, and with an error when it is broken.
function refused(reason: unknown): RateLimiterRes {
  if (reason instanceof RateLimiterRes) return reason;
  throw reason instanceof Error ? reason : new Error('the rate limiter failed');
}

function tooMany(perSecond: number, retryAfterSeconds: number): DomainError {
  return new DomainError('rate_limited', `At most ${perSecond} requests per second are served.`, {
    retryAfterSeconds,
  });
}
