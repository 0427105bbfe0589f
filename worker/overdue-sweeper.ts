import type { Logger } from 'pino';
import type { Cooldown } from '../platform/concurrency/cooldown.ts';
import { storeNow } from '../store/cluster/clock.ts';
import { findOverdue } from '../store/conversations/find-messages.ts';
import type { Overdue } from '../store/conversations/find-messages.ts';

const OVERDUE_MS = 1_000;
/** Waking thousands of conversations at once would starve other work. */
const MAX_SEEN = 200;
const MAX_WOKEN = 20;

/**
 * Finds conversations to wake: their workflow was terminated, or Temporal lost data (spec 6). While
 * the workers are only busy, waking would add load.
 */
export class OverdueSweeper {
  /** Whether the next sweep should follow at once. */
  hasMore = false;
  readonly #log: Pick<Logger, 'info'>;
  readonly #progress = new OverdueProgress();
  // Due time from which the next sweep reads: conversations that cannot be woken must not block
  // later messages.
  #after: Date | undefined;

  constructor(log: Pick<Logger, 'info'>) {
    this.#log = log;
  }

  /** Returns the first overdue message of each conversation to wake. */
  async sweep(woken: Cooldown): Promise<Overdue[]> {
    const now = storeNow();
    const isFirst = this.#after === undefined;
    const overdue = await findOverdue({
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
      this.#log.info({ conversations: found.length }, 'waking conversations with overdue messages');
    }
    return found;
  }
}

/** Unless the workers are busy, a conversation counts as stuck this long after a sweep found it. */
const SEEN_MS = 900;
/** Workers count as busy for this time after a conversation progressed. */
const BUSY_MS = 1_500;
/**
 * A conversation counts as stuck if its message is overdue by this much, even if the workers are
 * busy.
 */
const TOO_LATE_MS = 10_000;

/** Distinguishes stuck conversations from busy workers. */
export class OverdueProgress {
  #seen = new Map<string, number>();
  #movedAt = -Infinity;

  /** Returns stuck conversations. Does not count the progress of woken conversations. */
  findStuck(overdue: readonly Overdue[], now: number, isWoken: (conversation: string) => boolean): Overdue[] {
    const waiting = new Set(overdue.map(({ conversation }) => conversation));
    const hasMoved = (conversation: string) => !waiting.has(conversation) && !isWoken(conversation);
    if ([...this.#seen.keys()].some(hasMoved)) this.#movedAt = now;
    this.#seen = new Map(
      [...waiting].map((conversation) => [conversation, this.#seen.get(conversation) ?? now]),
    );
    const isBusy = now - this.#movedAt < BUSY_MS;
    return overdue.filter(({ conversation, dueAt }) => {
      const wasSeen = now - (this.#seen.get(conversation) ?? now) >= SEEN_MS;
      return !isWoken(conversation) && ((wasSeen && !isBusy) || now - dueAt.getTime() >= TOO_LATE_MS);
    });
  }
}
