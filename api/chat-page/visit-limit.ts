import { createHash } from 'node:crypto';
import { DomainError } from '../../domain/errors.ts';
import { storeNow } from '../../store/cluster/clock.ts';
import { addRequests } from '../../store/cluster/request-counts.ts';
import type { Api, OpenRequest } from '../request.ts';

/**
 * How often one address may do what makes work or records, in how many milliseconds (spec 13.3).
 */
const LIMITS = {
  /** Asks for a key. */
  starts: { max: 30, inMs: 60_000 },
  /** Says the first thing in a conversation, which makes it. */
  beginnings: { max: 30, inMs: 600_000 },
} as const;

/**
 * Counts what an address does, over all processes. Throws DomainError `rate_limited` above the
 * limit. Off where the rate limit is.
 */
export async function countVisit(
  what: keyof typeof LIMITS,
  { client }: Pick<OpenRequest, 'client'>,
  { config }: Pick<Api, 'config'>,
): Promise<void> {
  if (config.rateLimitPerSecond === 0) return;
  const { max, inMs } = LIMITS[what];
  const now = storeNow();
  const endsAt = (Math.floor(now / inMs) + 1) * inMs;
  const key = createHash('sha256').update(`${what} ${client.address}`).digest('base64url').slice(0, 22);
  if ((await addRequests(key, { endsAt, requests: 1 })) <= max) return;
  throw new DomainError('rate_limited', 'Too many conversations are begun from this address.', {
    retryAfterSeconds: Math.ceil((endsAt - now) / 1_000),
  });
}
