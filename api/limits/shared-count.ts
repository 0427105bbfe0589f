import { createHash } from 'node:crypto';

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
export function sharedCount(key: string, endsAt: number, add: AddRequests): SharedCount {
  let waiting = 0;
  let next: Promise<number> | undefined;
  let underWay: Promise<unknown> = Promise.resolve();

  async function addWaiting(): Promise<number> {
    await underWay.catch(() => undefined);
    const requests = waiting;
    waiting = 0;
    underWay = next ?? underWay;
    next = undefined;
    return (await add(digest(key), { endsAt, requests })) - requests;
  }

  return async () => {
    waiting += 1;
    const place = waiting;
    next ??= addWaiting();
    return (await within(next, TIMEOUT_MS)) + place;
  };
}

function within<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`not within ${timeoutMs} ms`)), timeoutMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

// A key may hold the end of a token, which is not the store's to know.
function digest(key: string): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, 22);
}
