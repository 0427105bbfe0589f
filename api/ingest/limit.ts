import type { Context } from 'koa';
import { addressOwner } from '../../platform/http/client-address.ts';
import { lruMap } from '../../platform/concurrency/lru-map.ts';
import type { RequestCounter, Usage } from '../limits/rate-limit.ts';
import { assertWithinRate, limitOfAddress } from '../limits/rate-limit.ts';
import type { RateLimits } from '../../platform/config/processes.ts';

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

/**
 * Limits each ingest address, not each client: all customers of a shop system post from the same
 * machines.
 */
export function createIngestLimit(limits: RateLimits, count: RequestCounter): IngestLimit {
  const { perKey } = limits;
  const known = lruMap<string, true>(MAX_KNOWN);
  /** Time at which the block of a client with too many invalid tokens ends. */
  const guessing = lruMap<string, number>(MAX_KNOWN);

  async function assertMayGuess(
    ctx: Context,
    observe: (usage: Usage & { perSecond: number }) => void = () => undefined,
  ): Promise<void> {
    for (const limit of limitOfAddress(ctx, limits)) {
      const counted = { ...limit, ...(await count(clientKey(ctx), limit.perSecond)) };
      observe(counted);
      assertWithinRate(ctx, counted);
    }
  }

  return {
    async find(ctx, digest, findAddress) {
      if (perKey > 0) {
        const usage = await count(`ingest ${digest}`, perKey);
        assertWithinRate(ctx, { perSecond: perKey, of: 'ingest', ...usage });
      }
      const until = known.get(digest) ? 0 : (guessing.peek(addressOwner(ctx.ip)) ?? 0);
      if (until > performance.now()) await assertMayGuess(ctx);
      const found = await findAddress();
      if (found) known.set(digest, true);
      else known.delete(digest);
      return found;
    },
    async countMiss(ctx) {
      await assertMayGuess(ctx, ({ requests, perSecond }) => {
        if (requests >= perSecond) guessing.set(addressOwner(ctx.ip), performance.now() + SECOND_MS);
      });
    },
  };
}

function clientKey(ctx: Context): string {
  return `ingest client ${addressOwner(ctx.ip)}`;
}
