import type { TenantPath } from '../../domain/limits/shares.ts';
import { SearchTooLong } from '../../store/queries/too-long.ts';
import { createListCosts, refused } from './list-costs.ts';
import { createPlaces } from './places.ts';
import type { Leave, Places } from './places.ts';

/** What is over by then costs nobody anything; what is not may go on where few others do. */
const QUICK_MS = 250;
/** What is not over by then is given up. */
const MAX_MS = 10_000;
const QUICK_PLACES = { max: 16, maxEach: 4, maxWaiting: 50, maxWaitMs: 10_000 };
/**
 * On a machine that has much to do an ordinary list may take longer than `QUICK_MS`: it waits for
 * its place.
 */
const SLOW_PLACES = { max: 4, maxEach: 1, maxWaiting: 2, maxWaitMs: 5_000 };
/** A large answer is held several times over while it is put together. */
const LARGE_PLACES = { max: 3, maxEach: 1, maxWaiting: 50, maxWaitMs: 10_000 };

/** What a list may do. */
export interface Effort {
  /** It gives up, with SearchTooLong, what the store has not found in so many milliseconds. */
  withinMs: number;
  /**
   * To be awaited before its answer becomes large; may be called often. All the time of a large
   * answer counts. Throws DomainError `rate_limited` where too many wait for that.
   */
  becomeLarge: () => Promise<void>;
}

/**
 * Where lists are let in: what they cost is bounded for each caller, for each organization, and in
 * all (docs/decisions/list-costs.md).
 */
export interface Lists {
  /**
   * Runs a list for the caller at the end of a line. `list` may be called twice, the second time
   * with more time. Of the time it takes `freeMs` (default 250) are not counted. Throws DomainError
   * `rate_limited` where the caller's lists cost too much.
   */
  run: <T>(line: TenantPath, list: (effort: Effort) => Promise<T>, of?: { freeMs: number }) => Promise<T>;
}

/** The lists of this process. `now` in milliseconds. */
export function createLists(now: () => number = () => performance.now()): Lists {
  const costs = createListCosts(now);
  const quick = createPlaces(QUICK_PLACES);
  const slow = createPlaces(SLOW_PLACES);
  const large = createPlaces(LARGE_PLACES);

  async function runQuickly<T>(
    line: TenantPath,
    list: (effort: Effort) => Promise<T>,
    freeMs: number,
  ): Promise<T> {
    let isLarge = false;
    const noted = ({ withinMs, becomeLarge }: Effort) =>
      list({
        withinMs,
        becomeLarge() {
          isLarge = true;
          return becomeLarge();
        },
      });
    costs.refuseOverdrawn(line);
    const leave = await quick.enter(line);
    if (!leave) throw refused('Too many of your lists are under way.', 1_000);
    try {
      costs.refuseOverdrawn(line);
      return await costs.count({ line, freeMs: () => (isLarge ? 0 : freeMs) }, () =>
        attempt({ line, large, withinMs: QUICK_MS }, noted),
      );
    } finally {
      leave();
    }
  }

  async function runSlowly<T>(line: TenantPath, list: (effort: Effort) => Promise<T>): Promise<T> {
    costs.refuseOverdrawn(line);
    const leave = await slow.enter(line);
    if (!leave) throw refused('As many lists that take long are under way as may be at once.', 1_000);
    return costs
      .count({ line, freeMs: () => 0 }, () => attempt({ line, large, withinMs: MAX_MS }, list))
      .finally(leave);
  }

  return {
    run: (line, list, { freeMs } = { freeMs: QUICK_MS }) =>
      runQuickly(line, list, freeMs)
        .catch((error: unknown) => onlyTooLong(error, () => runSlowly(line, list)))
        .catch((error: unknown) => onlyTooLong(error, () => Promise.reject(tooLong()))),
  };
}

async function attempt<T>(
  { line, large, withinMs }: { line: TenantPath; large: Places; withinMs: number },
  list: (effort: Effort) => Promise<T>,
): Promise<T> {
  let place: Promise<Leave | undefined> | undefined;
  const becomeLarge = async () => {
    place ??= large.enter(line);
    if (!(await place)) throw refused('Too many of your large lists are under way.', 1_000);
  };
  try {
    return await list({ withinMs, becomeLarge });
  } finally {
    (await place)?.();
  }
}

function onlyTooLong<T>(error: unknown, then: () => Promise<T>): Promise<T> {
  if (error instanceof SearchTooLong) return then();
  throw error;
}

function tooLong() {
  const words = `The list was not over after ${MAX_MS / 1_000} seconds. Narrow it, or simplify its patterns.`;
  return refused(words, MAX_MS);
}
