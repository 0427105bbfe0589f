import type { Context } from 'koa';
import { addressOwner } from '../../platform/http/client-address.ts';
import { lruMap } from '../../platform/concurrency/lru-map.ts';
import { DomainError } from '../../domain/errors.ts';
import { createFairSemaphore } from '../limits/places.ts';
import type { RequestCounter } from '../limits/request-counter.ts';
import { assertWithinRate } from '../middleware/rate-limit.ts';

/** The rate limit of ingest addresses (docs/decisions/rate-limit.md). */
export interface IngestLimit {
  /**
   * Counts a post to an address by the digest of its token, and looks for the address. Rejects with
   * DomainError `rate_limited` above the limit, and, without looking, where its client has just
   * tried too many addresses that are none and this one is not known.
   */
  find: <T>(ctx: Context, digest: string, findAddress: () => Promise<T | null>) => Promise<T | null>;
  /** Counts a post to nothing, by its client. Rejects above the limit. */
  countMiss: (ctx: Context) => Promise<void>;
}

const SECOND_MS = 1_000;
const MAX_KNOWN = 10_000;

/**
 * Of the posts of one address so many are under way in this process at once: where the machine is
 * busy, those of a flood that are within its limit would else be ahead of everybody. As many more
 * as a second brings wait for their turn.
 */
const PLACES = { max: Infinity, maxEach: 2, maxWaiting: 40, maxWaitMs: 10_000 };

/** Does the work in the address' turn. Rejects with DomainError `rate_limited` without one. */
export function createIngestTurns(): <T>(address: string, work: () => Promise<T>) => Promise<T> {
  const places = createFairSemaphore(PLACES);
  return async (address, work) => {
    const leave = await places.enter([address]);
    if (!leave) {
      const said = 'Too many posts to this address are under way. Nothing was stored; try again later.';
      throw new DomainError('rate_limited', said, { retryAfterSeconds: 1 });
    }
    return work().finally(leave);
  };
}

/**
 * Each address has the whole limit for itself, whoever posts there and from where: the customers of
 * a shop system all post from its few machines. `perSecond` 0: no limit.
 */
export function createIngestLimit(perSecond: number, count: RequestCounter): IngestLimit {
  const known = lruMap<string, true>(MAX_KNOWN);
  /** Clients that tried too much, and until when they are not looked for. */
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
