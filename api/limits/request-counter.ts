import { storeNow } from '../../store/cluster/clock.ts';
import { createHash } from 'node:crypto';
import { createBatcher } from '../../platform/concurrency/batcher.ts';
import { withTimeout } from '../../platform/concurrency/with-timeout.ts';

const SECOND_MS = 1_000;
const MAX_WINDOWS = 100_000;

/** What a key has used of its second. */
export interface Usage {
  /** Requests in this second, this one included. */
  requests: number;
  endsInMs: number;
}

/** Counts one more request of a key. Never rejects, and never takes longer than a second. */
export type RequestCounter = (key: string) => Promise<Usage>;

interface Window {
  endsAt: number;
  own: number;
  /** The highest sum over all processes that was heard of. */
  sum: number;
  count: SharedCount;
}

/**
 * Counts requests by key and second: in memory while this is the only process, in the store while
 * it is `shared`. What is above the limit by what this process knows is not added in the store, so
 * that a flood costs it next to nothing. A store that fails or is slow is left alone for a second.
 */
export function createRequestCounter({
  limit,
  shared,
  add,
}: {
  limit: number;
  /** Whether other processes count the same keys. */
  shared: () => boolean;
  add: AddRequests;
}): RequestCounter {
  const windows = new Map<string, Window>();
  let aloneUntil = 0;

  function findOrOpenWindow(key: string, at: number): Window {
    const known = windows.get(key);
    if (known && known.endsAt > at) return known;
    // All processes have to mean the same second; one alone begins it with the first request.
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

// They stand in the order of their beginning.
function dropEnded(windows: Map<string, Window>, at: number): void {
  for (const [key, { endsAt }] of windows) {
    if (endsAt > at && windows.size < MAX_WINDOWS) return;
    windows.delete(key);
  }
}

/** A store that takes longer is counted without: a limit must not stop what it protects. */
const TIMEOUT_MS = 1_000;

/**
 * Adds to the count of a key that all processes share, and answers the sum. `endsAt` is
 * milliseconds since 1970.
 */
type AddRequests = (key: string, added: { endsAt: number; requests: number }) => Promise<number>;

/**
 * Adds one request to a key's count in one second; answers the sum as it was with this request.
 * Rejects when it takes over a second.
 */
type SharedCount = () => Promise<number>;

/** What arrives while an addition is under way goes together in the next. */
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

// A key may hold the end of a token, which is not the store's to know.
function digest(key: string): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, 22);
}
