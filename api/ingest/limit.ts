import type { Context } from 'koa';
import { addressOwner } from '../../platform/http/client-address.ts';
import { lruMap } from '../../platform/concurrency/lru-map.ts';
import { DomainError } from '../../domain/errors.ts';
import { FairScheduler } from '../../platform/concurrency/fair-scheduler.ts';
import type { RequestCounter } from '../limits/rate-limit.ts';
import { assertWithinRate } from '../limits/rate-limit.ts';

/** See docs/decisions/rate-limit.md. */
export interface IngestLimit {
  /**
   * Rejects with DomainError `rate_limited` above the limit of the ingest address. While a client
   * sends too many invalid tokens, also rejects that client's posts to ingest addresses that this
   * process has not seen.
   */
  find: <T>(ctx: Context, digest: string, findAddress: () => Promise<T | null>) => Promise<T | null>;
  /** Counts an invalid token. Rejects with DomainError `rate_limited` above the limit. */
  countMiss: (ctx: Context) => Promise<void>;
}

const SECOND_MS = 1_000;
const MAX_KNOWN = 10_000;

/** A flood within one address's limit must not delay other addresses. */
const POSTS = {
  maxEach: 2,
  maxWaitingEach: 40,
  maxWaitMs: 10_000,
  refusal: () =>
    new DomainError(
      'rate_limited',
      'Too many posts to this address are under way. Nothing was stored; try again later.',
      { retryAfterSeconds: 1 },
    ),
};

export const createIngestTurns = () => new FairScheduler(POSTS);

/**
 * Limits each ingest address, not each client: all customers of a shop system post from the same
 * machines. 0 disables the limit.
 */
export function createIngestLimit(perSecond: number, count: RequestCounter): IngestLimit {
  const known = lruMap<string, true>(MAX_KNOWN);
  /** Time at which the block of a client with too many invalid tokens ends. */
  const guessing = lruMap<string, number>(MAX_KNOWN);

  return {
    async find(ctx, digest, findAddress) {
      if (perSecond > 0) {
        assertWithinRate(ctx, perSecond, await count(`ingest ${digest}`));
        const until = known.get(digest) ? 0 : (guessing.peek(addressOwner(ctx.ip)) ?? 0);
        if (until > performance.now()) assertWithinRate(ctx, perSecond, await count(clientKey(ctx)));
      }
      const found = await findAddress();
      if (found) known.set(digest, true);
      else known.delete(digest);
      return found;
    },
    async countMiss(ctx) {
      if (perSecond === 0) return;
      const usage = await count(clientKey(ctx));
      if (usage.requests >= perSecond) guessing.set(addressOwner(ctx.ip), performance.now() + SECOND_MS);
      assertWithinRate(ctx, perSecond, usage);
    },
  };
}

function clientKey(ctx: Context): string {
  return `ingest client ${addressOwner(ctx.ip)}`;
}
