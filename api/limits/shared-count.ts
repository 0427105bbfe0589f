import { createHash } from 'node:crypto';
import { createBatcher } from '../../platform/concurrency/batcher.ts';
import { withTimeout } from '../../platform/concurrency/with-timeout.ts';

/** A store that takes longer is counted without: a limit must not stop what it protects. */
const TIMEOUT_MS = 1_000;

/**
 * Adds to the count of a key that all processes share, and answers the sum. `endsAt` is
 * milliseconds since 1970.
 */
export type AddRequests = (key: string, added: { endsAt: number; requests: number }) => Promise<number>;

/**
 * Adds one request to a key's count in one second; answers the sum as it was with this request.
 * Rejects when it takes over a second.
 */
export type SharedCount = () => Promise<number>;

/** What arrives while an addition is under way goes together in the next. */
export function createSharedCount(key: string, endsAt: number, add: AddRequests): SharedCount {
  const addOne = createBatcher({
    maxItems: Infinity,
    async write(requests: true[]) {
      const sum = await add(digest(key), { endsAt, requests: requests.length });
      return requests.map((_, at) => sum - requests.length + at + 1);
    },
  });
  return () =>
    withTimeout(addOne(true), TIMEOUT_MS, () => {
      throw new Error(`not within ${TIMEOUT_MS} ms`);
    });
}

// A key may hold the end of a token, which is not the store's to know.
function digest(key: string): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, 22);
}
