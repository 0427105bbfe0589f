import type { Logger } from 'pino';
import type { Cooldown } from '../platform/concurrency/cooldown.ts';
import { storeNow } from '../store/cluster/clock.ts';
import type { Overdue, OverdueSearch } from '../store/conversations/find-messages.ts';

const OVERDUE_MS = 1_000;
/** Waking thousands of conversations at once would starve other work. */
const MAX_SEEN = 200;
const MAX_WOKEN = 20;

export interface OverdueSource {
  /** Returns the longest overdue first. */
  find: (search: OverdueSearch) => Promise<Overdue[]>;
  /** A conversation counts as stuck if it is overdue by this much, even if the workers are busy. */
  tooLateMs: number;
}

/**
 * Finds conversations to wake: their workflow was terminated, or Temporal lost data (spec 6). While
 * the workers are only busy, waking would add load.
 */
export class OverdueSweeper {
  /** Whether the next sweep should follow at once. */
  hasMore = false;
  readonly #find: (search: OverdueSearch) => Promise<Overdue[]>;
  readonly #log: Pick<Logger, 'info'>;
  readonly #progress: OverdueProgress<Overdue>;
  // Due time from which the next sweep reads: conversations that cannot be woken must not block
  // later ones.
  #after: Date | undefined;

  constructor({ find, tooLateMs }: OverdueSource, log: Pick<Logger, 'info'>) {
    this.#find = find;
    this.#log = log;
    this.#progress = new OverdueProgress({
      key: ({ conversation }) => conversation,
      tooLateMs,
      busyMs: BUSY_MS,
    });
  }

  /** Returns what is overdue first in each conversation to wake. */
  async sweep(woken: Cooldown): Promise<Overdue[]> {
    const now = storeNow();
    const isFirst = this.#after === undefined;
    const overdue = await this.#find({
      before: new Date(now - OVERDUE_MS),
      after: this.#after,
      limit: MAX_SEEN,
    });
    const seen = new Set<string>();
    const waiting = overdue.filter(({ conversation }) => !seen.has(conversation) && seen.add(conversation));
    const asleep = isFirst
      ? this.#progress.findStuck(waiting, now, woken.has)
      : waiting.filter(({ conversation }) => !woken.has(conversation));
    this.hasMore = asleep.length > MAX_WOKEN;
    // If none of the oldest conversations is stuck, no later conversation is stuck.
    const isCalm =
      isFirst && asleep.length === 0 && !waiting.every(({ conversation }) => woken.has(conversation));
    if (!this.hasMore && !isCalm) {
      this.#after = overdue.length === MAX_SEEN ? overdue.at(-1)?.dueAt : undefined;
      this.hasMore = this.#after !== undefined;
    }
    const found = asleep.slice(0, MAX_WOKEN);
    if (found.length > 0) {
      this.#log.info({ conversations: found.length }, 'waking conversations');
    }
    return found;
  }
}

/** Unless the workers are busy, work counts as stuck this long after a search found it. */
const SEEN_MS = 900;
/** Workers count as busy for this time after a conversation progressed. */
const BUSY_MS = 1_500;

interface ProgressOptions<T> {
  key: (work: T) => string;
  /** Work counts as stuck if it is overdue by this much, even if the workers are busy. */
  tooLateMs: number;
  /** Workers count as busy for this time after some of the overdue work was done. */
  busyMs: number;
}

/** Distinguishes stuck work, such as a conversation that sleeps, from busy workers. */
export class OverdueProgress<T extends { dueAt: Date }> {
  #seen = new Map<string, number>();
  #movedAt = -Infinity;
  readonly #options: ProgressOptions<T>;

  constructor(options: ProgressOptions<T>) {
    this.#options = options;
  }

  /** Returns stuck work. Does not count the progress of work that was woken. */
  findStuck(overdue: readonly T[], now: number, isWoken: (key: string) => boolean): T[] {
    const { key, tooLateMs, busyMs } = this.#options;
    const waiting = new Set(overdue.map(key));
    const hasMoved = (seen: string) => !waiting.has(seen) && !isWoken(seen);
    if ([...this.#seen.keys()].some(hasMoved)) this.#movedAt = now;
    this.#seen = new Map([...waiting].map((one) => [one, this.#seen.get(one) ?? now]));
    const isBusy = now - this.#movedAt < busyMs;
    return overdue.filter((work) => {
      const wasSeen = now - (this.#seen.get(key(work)) ?? now) >= SEEN_MS;
      return !isWoken(key(work)) && ((wasSeen && !isBusy) || now - work.dueAt.getTime() >= tooLateMs);
    });
  }
}
