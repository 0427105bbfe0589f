import type { TenantPath } from '../../domain/limits/shares.ts';
import { SearchTooLong } from '../../store/queries/listing.ts';
import { createFairSemaphore } from './fair-semaphore.ts';
import type { Release, FairSemaphore } from './fair-semaphore.ts';
import { createAllowances, createSharedTime } from '../../domain/limits/allowances.ts';
import type { Allowance } from '../../domain/limits/allowances.ts';
import { DomainError } from '../../domain/errors.ts';

/** A list that ends by then is free. A slower list needs a slow slot. */
const QUICK_MS = 250;
const MAX_MS = 10_000;
const QUICK_LIMITS = { max: 16, maxEach: 4, maxWaiting: 50, maxWaitMs: 10_000 };
/** On a busy machine an ordinary list may be slow, so a slow list may wait for a slot. */
const SLOW_LIMITS = { max: 4, maxEach: 1, maxWaiting: 2, maxWaitMs: 5_000 };
/** A large response is in memory several times while it is built. */
const LARGE_LIMITS = { max: 3, maxEach: 1, maxWaiting: 50, maxWaitMs: 10_000 };

export interface ListBudget {
  /** After this time the store gives up with SearchTooLong. */
  withinMs: number;
  /**
   * Must be awaited before the response becomes large. Then all its time counts. Throws DomainError
   * `rate_limited` if too many large responses wait.
   */
  awaitLargeSlot: () => Promise<void>;
}

/** Bounds the cost of lists per caller, organization and process (docs/decisions/list-costs.md). */
export interface ListConcurrency {
  /**
   * `list` may run twice, the second time with a longer timeout. The first `freeMs` (250 by
   * default) do not count. Throws DomainError `rate_limited` above the caller's allowance.
   */
  run: <T>(line: TenantPath, list: (effort: ListBudget) => Promise<T>, of?: { freeMs: number }) => Promise<T>;
}

export function createListConcurrency(now: () => number = () => performance.now()): ListConcurrency {
  const costs = createListCosts(now);
  const quick = createFairSemaphore(QUICK_LIMITS);
  const slow = createFairSemaphore(SLOW_LIMITS);
  const large = createFairSemaphore(LARGE_LIMITS);

  async function runQuickly<T>(
    line: TenantPath,
    list: (effort: ListBudget) => Promise<T>,
    freeMs: number,
  ): Promise<T> {
    let isLarge = false;
    const trackedList = ({ withinMs, awaitLargeSlot }: ListBudget) =>
      list({
        withinMs,
        awaitLargeSlot() {
          isLarge = true;
          return awaitLargeSlot();
        },
      });
    costs.assertWithinAllowance(line);
    const leave = await quick.enter(line);
    if (!leave) throw rateLimitError('Too many of your lists are under way.', 1_000);
    try {
      costs.assertWithinAllowance(line);
      return await costs.count({ line, freeMs: () => (isLarge ? 0 : freeMs) }, () =>
        runAttempt({ line, large, withinMs: QUICK_MS }, trackedList),
      );
    } finally {
      leave();
    }
  }

  async function runSlowly<T>(line: TenantPath, list: (effort: ListBudget) => Promise<T>): Promise<T> {
    costs.assertWithinAllowance(line);
    const leave = await slow.enter(line);
    if (!leave) throw rateLimitError('As many lists that take long are under way as may be at once.', 1_000);
    return costs
      .count({ line, freeMs: () => 0 }, () => runAttempt({ line, large, withinMs: MAX_MS }, list))
      .finally(leave);
  }

  return {
    run: (line, list, { freeMs } = { freeMs: QUICK_MS }) =>
      runQuickly(line, list, freeMs)
        .catch((error: unknown) => ifSearchTooLong(error, () => runSlowly(line, list)))
        .catch((error: unknown) => ifSearchTooLong(error, () => Promise.reject(searchTooLongError()))),
  };
}

async function runAttempt<T>(
  { line, large, withinMs }: { line: TenantPath; large: FairSemaphore; withinMs: number },
  list: (effort: ListBudget) => Promise<T>,
): Promise<T> {
  let place: Promise<Release | undefined> | undefined;
  const awaitLargeSlot = async () => {
    place ??= large.enter(line);
    if (!(await place)) throw rateLimitError('Too many of your large lists are under way.', 1_000);
  };
  try {
    return await list({ withinMs, awaitLargeSlot });
  } finally {
    (await place)?.();
  }
}

function ifSearchTooLong<T>(error: unknown, then: () => Promise<T>): Promise<T> {
  if (error instanceof SearchTooLong) return then();
  throw error;
}

function searchTooLongError() {
  const words = `The list was not over after ${MAX_MS / 1_000} seconds. Narrow it, or simplify its patterns.`;
  return rateLimitError(words, MAX_MS);
}

/** Each tenant may use 10 s of list time at once, and regains 0.5 ms per ms. */
const ALLOWANCE: Allowance = { max: 10_000, backPerMs: 0.5 };

interface ListCosts {
  /** Throws DomainError `rate_limited` if the allowance is used up. */
  assertWithinAllowance: (line: TenantPath) => void;
  /** Charges the time of the work, minus `freeMs` if it succeeds. */
  count: <T>(of: { line: TenantPath; freeMs: () => number }, work: () => Promise<T>) => Promise<T>;
}

function createListCosts(now: () => number): ListCosts {
  const allowances = createAllowances(ALLOWANCE);
  const time = createSharedTime();
  return {
    assertWithinAllowance(line) {
      const waitMs = allowances.waitMs(line, now());
      if (waitMs > 0) throw rateLimitError('Your lists took too long lately. Narrow them, or wait.', waitMs);
    },
    async count({ line, freeMs }, work) {
      const end = time.begin(now());
      let free = 0;
      try {
        const done = await work();
        free = freeMs();
        return done;
      } finally {
        const tookMs = end(now()) - free;
        if (tookMs > 0) allowances.use(line, tookMs, now());
      }
    },
  };
}

function rateLimitError(message: string, waitMs: number): DomainError {
  return new DomainError('rate_limited', message, {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
  });
}
