import { createAllowances } from '../../domain/limits/allowances.ts';
import { DomainError } from '../../domain/errors.ts';
import type { Api, OpenRequest } from '../request.ts';

/**
 * Characters that one address may store by posting as a contact, in each process: all of them at
 * once, and half of them again in each hour (spec 10.3).
 */
const MAX_STORED = 32 * 1024 * 1024;
const HOUR_MS = 3_600_000;

/** Characters of a stored message besides its text. */
const PER_MESSAGE = 1_000;

const allowances = createAllowances({ max: MAX_STORED, backPerMs: MAX_STORED / 2 / HOUR_MS });

/**
 * Counts what a post stores for its address. Throws DomainError `rate_limited` where the address
 * has stored more than it may. Off where the rate limit is.
 */
export function countStoredBytes(
  { client, body }: Pick<OpenRequest<{ text: string; label?: string }>, 'client' | 'body'>,
  { config }: { config: Pick<Api['config'], 'rateLimitPerSecond'> },
  now = performance.now(),
): void {
  if (config.rateLimitPerSecond === 0) return;
  const line = [client.address];
  const waitMs = allowances.waitMs(line, now);
  if (waitMs > 0) {
    throw new DomainError('rate_limited', 'Too much was posted from this address lately.', {
      retryAfterSeconds: Math.ceil(waitMs / 1_000),
    });
  }
  allowances.use(line, PER_MESSAGE + body.text.length + (body.label?.length ?? 0), now);
}
