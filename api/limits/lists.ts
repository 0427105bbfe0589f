import type { Line } from '../../domain/limits/shares.ts';
import { SearchTooLong } from '../../store/queries/too-long.ts';
import { createListCosts, refused } from './list-costs.ts';
import { createPlaces } from './places.ts';

/** What is over by then costs nobody anything; what is not may go on where few others do. */
const QUICK_MS = 250;
/** What is not over by then is given up. */
const MAX_MS = 10_000;
const QUICK_PLACES = { most: 16, mostEach: 4, mostWaiting: 50, longestWaitMs: 10_000 };
const SLOW_PLACES = { most: 4, mostEach: 1, mostWaiting: 0, longestWaitMs: 0 };

/** Where lists are let in: what they cost is bounded for each caller, for each organization, and in all (docs/decisions/list-costs.md). */
export interface Lists {
  /**
   * Runs a list for the caller at the end of a line. `list` may be called twice: it gives up, with SearchTooLong, what the store has not found in so many milliseconds.
   * Throws DomainError `rate_limited` where the caller's lists cost too much.
   */
  run: <T>(line: Line, list: (withinMs: number) => Promise<T>) => Promise<T>;
}

/** The lists of this process. `now` in milliseconds. */
export function createLists(now: () => number = () => performance.now()): Lists {
  const costs = createListCosts(now);
  const quick = createPlaces(QUICK_PLACES);
  const slow = createPlaces(SLOW_PLACES);

  async function runQuickly<T>(line: Line, list: (withinMs: number) => Promise<T>): Promise<T> {
    costs.refuseOverdrawn(line);
    const leave = await quick.enter(line);
    if (!leave) throw refused('Too many of your lists are under way.', 1_000);
    try {
      costs.refuseOverdrawn(line);
      return await costs.count({ line, freeMs: QUICK_MS }, () => list(QUICK_MS));
    } finally {
      leave();
    }
  }

  async function runSlowly<T>(line: Line, list: (withinMs: number) => Promise<T>): Promise<T> {
    costs.refuseOverdrawn(line);
    const leave = await slow.enter(line);
    if (!leave) throw refused('As many lists that take long are under way as may be at once.', 1_000);
    return costs.count({ line, freeMs: 0 }, () => list(MAX_MS)).finally(leave);
  }

  return {
    run: (line, list) =>
      runQuickly(line, list)
        .catch((error: unknown) => onlyTooLong(error, () => runSlowly(line, list)))
        .catch((error: unknown) => onlyTooLong(error, () => Promise.reject(tooLong()))),
  };
}

function onlyTooLong<T>(error: unknown, then: () => Promise<T>): Promise<T> {
  if (error instanceof SearchTooLong) return then();
  throw error;
}

function tooLong() {
  const words = `The list was not over after ${MAX_MS / 1_000} seconds. Narrow it, or simplify its patterns.`;
  return refused(words, MAX_MS);
}
