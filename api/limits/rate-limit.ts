import { createHash } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import { DomainError } from '../../domain/errors.ts';
import { createBatcher } from '../../platform/concurrency/batcher.ts';
import { repeatingTask } from '../../platform/concurrency/repeating-task.ts';
import { withTimeout } from '../../platform/concurrency/with-timeout.ts';
import type { RateLimits } from '../../platform/config/processes.ts';
import { addressOwner, isWithinNetworks } from '../../platform/http/client-address.ts';
import { storeNow } from '../../store/cluster/clock.ts';
import { forgetApi, isOtherApiAlive, reportApiAlive } from '../../store/cluster/processes.ts';
import { addRequests } from '../../store/cluster/request-counts.ts';
import { newId } from '../../store/queries/identifier.ts';
import { bearerToken } from '../resources/auth/schema.ts';

// A token is identified by the end of its signature, without the last character: the unused bits of
// that character allow several spellings.
const TOKEN_TAIL = 64;

/**
 * Limits each client address (IPv6: /64 network) and each token (spec 2.10). The headers describe
 * the limit that is closer.
 */
export function rateLimit(limits: RateLimits, count: RequestCounter): Middleware {
  return async (ctx, next) => {
    const token = bearerToken(ctx.get('Authorization'));
    const rates = [
      ...limitOfAddress(ctx, limits).map((limit) => [`address ${addressOwner(ctx.ip)}`, limit] as const),
      ...(token === undefined || limits.perKey === 0
        ? []
        : [[`token ${identifyToken(token)}`, { perSecond: limits.perKey, of: 'key' }] as const]),
    ];
    const counted = await Promise.all(
      rates.map(async ([key, limit]) => ({ ...limit, ...(await count(key, limit.perSecond)) })),
    );
    const [closest] = counted.sort((a, b) => remaining(a) - remaining(b));
    if (closest) assertWithinRate(ctx, closest);
    await next();
  };
}

interface RateLimit {
  perSecond: number;
  of: keyof typeof HOLDERS;
}

const HOLDERS = {
  address: 'a client address, for all programs behind it together',
  key: 'an API key or token',
  ingest: 'an ingest address',
} as const;

/** Empty for an exempt client. */
export function limitOfAddress({ ip }: Pick<Context, 'ip'>, limits: RateLimits): RateLimit[] {
  const { perAddress: perSecond, exemptNetworks } = limits;
  return perSecond === 0 || isWithinNetworks(ip, exemptNetworks) ? [] : [{ perSecond, of: 'address' }];
}

function remaining({ perSecond, requests }: RateLimit & Usage): number {
  return perSecond - requests;
}

/** Returns the same text for all spellings of a token in base64. */
export function identifyToken(token: string): string {
  const spelling = token
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/[^\w.-]/g, '');
  return spelling.slice(-TOKEN_TAIL, -1);
}

export function assertWithinRate(
  ctx: Pick<Context, 'set'>,
  { perSecond, of, requests, endsInMs }: RateLimit & Usage,
): void {
  const resetSeconds = Math.max(1, Math.ceil(endsInMs / 1000));
  ctx.set({
    'RateLimit-Limit': String(perSecond),
    'RateLimit-Remaining': String(Math.max(0, perSecond - requests)),
    'RateLimit-Reset': String(resetSeconds),
  });
  if (requests <= perSecond) return;
  throw new DomainError(
    'rate_limited',
    `At most ${perSecond} requests per second are served to ${HOLDERS[of]}.`,
    { retryAfterSeconds: resetSeconds },
  );
}

const EVERY_MS = 1_000;
const LOST_AFTER_MS = 5_000;

export interface Limit {
  count: RequestCounter;
  /** Returns whether other API processes share the count, as of the last second. */
  shared: () => boolean;
  leave: () => Promise<void>;
}

/** Creates a limit. Await it before the first request. `timeoutMs`: of a count in the store. */
export async function createLimit(log: Logger, timeoutMs: number): Promise<Limit> {
  const id = newId();
  let others = false;
  const checkOthers = async () => {
    const now = storeNow();
    await reportApiAlive(id, new Date(now));
    others = await isOtherApiAlive(id, new Date(now - LOST_AFTER_MS));
  };
  await checkOthers();
  const checks = repeatingTask(checkOthers, {
    everyMs: EVERY_MS,
    waitsFirst: true,
    onError: (error) => log.debug({ err: error }, 'failed to check for other API processes'),
  });
  checks.start();
  const shared = () => others;
  return {
    count: createRequestCounter({ shared, add: addRequests, timeoutMs }),
    shared,
    async leave() {
      void checks.stop();
      await forgetApi(id);
    },
  };
}

const SECOND_MS = 1_000;
const MAX_WINDOWS = 100_000;

export interface Usage {
  /** Includes this request. */
  requests: number;
  endsInMs: number;
}

/** Never rejects, and resolves within the timeout. Above `limit`, counts in memory alone. */
export type RequestCounter = (key: string, limit: number) => Promise<Usage>;

interface Window {
  endsAt: number;
  own: number;
  /** Highest sum so far. */
  sum: number;
  count: SharedCount;
}

/**
 * Creates a counter by key and second, in the store while `shared`. Above the limit, and for a
 * second after a failure, it counts only in memory, so a flood costs the store nearly nothing.
 */
export function createRequestCounter({
  shared,
  add,
  timeoutMs,
}: {
  shared: () => boolean;
  add: AddRequests;
  /** A slower store is not awaited: the limiter must not block requests. */
  timeoutMs: number;
}): RequestCounter {
  const windows = new Map<string, Window>();
  let aloneUntil = 0;

  function findOrOpenWindow(key: string, at: number): Window {
    const known = windows.get(key);
    if (known && known.endsAt > at) return known;
    // Processes that share the count need windows that begin together.
    const endsAt = shared() ? (Math.floor(at / SECOND_MS) + 1) * SECOND_MS : at + SECOND_MS;
    const fresh = { endsAt, own: 0, sum: 0, count: createSharedCount(key, endsAt, add) };
    windows.delete(key);
    dropEnded(windows, at);
    windows.set(key, fresh);
    return fresh;
  }

  return async (key, limit) => {
    const at = storeNow();
    const window = findOrOpenWindow(key, at);
    const own = (window.own += 1);
    let requests = Math.max(own, window.sum);
    if (shared() && aloneUntil <= at && requests <= limit) {
      try {
        requests = Math.max(own, await withTimeout(window.count(), timeoutMs, rejectLate));
        window.sum = Math.max(window.sum, requests);
      } catch {
        aloneUntil = storeNow() + SECOND_MS;
      }
    }
    return { requests, endsInMs: window.endsAt - at };
  };
}

function rejectLate(): never {
  throw new Error('the store does not count in time');
}

function dropEnded(windows: Map<string, Window>, at: number): void {
  for (const [key, { endsAt }] of windows) {
    if (endsAt > at && windows.size < MAX_WINDOWS) return;
    windows.delete(key);
  }
}

/** Returns the sum of all processes. `endsAt`: epoch milliseconds. */
type AddRequests = (key: string, added: { endsAt: number; requests: number }) => Promise<number>;

/** Returns the sum with this request. */
type SharedCount = () => Promise<number>;

/** Lets requests that arrive during a write share the next write. */
function createSharedCount(key: string, endsAt: number, add: AddRequests): SharedCount {
  const addOne = createBatcher({
    maxItems: Infinity,
    async write(requests: true[]) {
      const sum = await add(digest(key), { endsAt, requests: requests.length });
      return requests.map((_, at) => sum - requests.length + at + 1);
    },
  });
  return () => addOne(true);
}

// A key may contain part of a token's signature, so the store gets only its hash.
function digest(key: string): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, 22);
}
