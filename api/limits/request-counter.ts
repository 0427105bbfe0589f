import { storeNow } from '../../store/cluster/clock.ts';
import { createHash } from 'node:crypto';
import { createBatcher } from '../../platform/concurrency/batcher.ts';
import { withTimeout } from '../../platform/concurrency/with-timeout.ts';

const SECOND_MS = 1_000;
const MAX_WINDOWS = 100_000;

export interface Usage {
  /** Includes this request. */
  requests: number;
  endsInMs: number;
}

/** Never rejects, and resolves within a second. */
export type RequestCounter = (key: string) => Promise<Usage>;

interface Window {
  endsAt: number;
  own: number;
  /** Highest sum that the store has returned. */
  sum: number;
  count: SharedCount;
}

/**
 * Counts by key and second, in the store while `shared` is true. Known excess is counted only in
 * memory, so a flood costs the store nearly nothing. After a failure the store is not used for a
 * second.
 */
export function createRequestCounter({
  limit,
  shared,
  add,
}: {
  limit: number;
  shared: () => boolean;
  add: AddRequests;
}): RequestCounter {
  const windows = new Map<string, Window>();
  let aloneUntil = 0;

  function findOrOpenWindow(key: string, at: number): Window {
    const known = windows.get(key);
    if (known && known.endsAt > at) return known;
    // Sharing processes need the same window. A single process starts it with the first request.
    const endsAt = shared() ? (Math.floor(at / SECOND_MS) + 1) * SECOND_MS : at + SECOND_MS;
    const fresh = { endsAt, own: 0, sum: 0, count: createSharedCount(key, endsAt, add) };
    windows.delete(key);
    dropEnded(windows, at);
    windows.set(key, fresh);
    return fresh;
  }

  return async (key) => {
    const at = storeNow();
    const window = findOrOpenWindow(key, at);
    const own = (window.own += 1);
    let requests = Math.max(own, window.sum);
    if (shared() && aloneUntil <= at && requests <= limit) {
      try {
        requests = Math.max(own, await window.count());
        window.sum = Math.max(window.sum, requests);
      } catch {
        aloneUntil = storeNow() + SECOND_MS;
      }
    }
    return { requests, endsInMs: window.endsAt - at };
  };
}

// Ordered by the start of the windows.
function dropEnded(windows: Map<string, Window>, at: number): void {
  for (const [key, { endsAt }] of windows) {
    if (endsAt > at && windows.size < MAX_WINDOWS) return;
    windows.delete(key);
  }
}

/** If the store is slower, count in memory: the limiter must not block requests. */
const TIMEOUT_MS = 1_000;

/** Returns the shared sum. `endsAt` is in milliseconds since 1970. */
type AddRequests = (key: string, added: { endsAt: number; requests: number }) => Promise<number>;

/** Returns the sum including this request. Rejects after a second. */
type SharedCount = () => Promise<number>;

/** Requests that arrive during a write share the next write. */
function createSharedCount(key: string, endsAt: number, add: AddRequests): SharedCount {
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

// Hides the key from the store, because it may contain the end of a token.
function digest(key: string): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, 22);
}
