import type { TenantPath } from '../../domain/limits/shares.ts';
import { SearchTooLong } from '../../store/queries/listing.ts';
import { createFairSemaphore } from './places.ts';
import type { Release, FairSemaphore } from './places.ts';
import { createAllowances, createSharedTime } from '../../domain/limits/allowances.ts';
import type { Allowance } from '../../domain/limits/allowances.ts';
import { DomainError } from '../../domain/errors.ts';

/** What is over by then costs nobody anything; what is not may go on where few others do. */
const QUICK_MS = 250;
/** What is not over by then is given up. */
const MAX_MS = 10_000;
const QUICK_LIMITS = { max: 16, maxEach: 4, maxWaiting: 50, maxWaitMs: 10_000 };
/**
 * On a machine that has much to do an ordinary list may take longer than `QUICK_MS`: it waits for
 * its place.
 */
const SLOW_LIMITS = { max: 4, maxEach: 1, maxWaiting: 2, maxWaitMs: 5_000 };
/** A large answer is held several times over while it is put together. */
const LARGE_LIMITS = { max: 3, maxEach: 1, maxWaiting: 50, maxWaitMs: 10_000 };

/** What a list may do. */
export interface ListBudget {
  /** It gives up, with SearchTooLong, what the store has not found in so many milliseconds. */
  withinMs: number;
  /**
   * To be awaited before its answer becomes large; may be called often. All the time of a large
   * answer counts. Throws DomainError `rate_limited` where too many wait for that.
   */
  awaitLargeSlot: () => Promise<void>;
}

/**
 * Where lists are let in: what they cost is bounded for each caller, for each organization, and in
 * all (docs/decisions/list-costs.md).
 */
export interface ListConcurrency {
  /**
   * Runs a list for the caller at the end of a line. `list` may be called twice, the second time
   * with more time. Of the time it takes `freeMs` (default 250) are not counted. Throws DomainError
   * `rate_limited` where the caller's lists cost too much.
   */
  run: <T>(line: TenantPath, list: (effort: ListBudget) => Promise<T>, of?: { freeMs: number }) => Promise<T>;
}

/** The lists of this process. `now` in milliseconds. */
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

/**
 * Of the time that this process and the store work on lists, everybody has a part, and may use so
 * much of it in one go.
 */
const ALLOWANCE: Allowance = { max: 10_000, backPerMs: 0.5 };

/** What the lists of this process cost, and whom. */
interface ListCosts {
  /** Throws DomainError `rate_limited` where the line has used more than it may. */
  assertWithinAllowance: (line: TenantPath) => void;
  /** Runs the work and adds its time to the line's. Of work that succeeds, `freeMs` are free. */
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

/** The refusal of a list that costs too much now. */
function rateLimitError(message: string, waitMs: number): DomainError {
  return new DomainError('rate_limited', message, {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
  });
}
