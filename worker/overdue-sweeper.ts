import type { Logger } from 'pino';
import { repeatingTask } from '../platform/concurrency/repeating-task.ts';
import { createCooldown } from '../platform/concurrency/cooldown.ts';
import { withTimeout } from '../platform/concurrency/with-timeout.ts';
import type { Conversations } from '../workflows/client/conversations.ts';
import { storeNow } from '../store/cluster/clock.ts';
import { findOverdue } from '../store/conversations/find-messages.ts';
import type { Overdue } from '../store/conversations/find-messages.ts';

const EVERY_MS = 1_000;
/** Delay from which a sweep sees a message. A second sweep sees it another second later. */
const OVERDUE_MS = 1_000;
/** Bounds of a sweep: waking thousands of conversations at once would starve other work. */
const MAX_SEEN = 200;
const MAX_WOKEN = 20;
/** Limit for waking conversations, so that a slow wake-up does not block the sweep. */
const LOOK_TIMEOUT_MS = 2_000;
const AGAIN_AFTER_MS = 5_000;
const NO_ID = '0'.repeat(24);

export interface OverdueSweeper {
  end(): Promise<void>;
}

interface Deps {
  conversations: Conversations;
  log: Pick<Logger, 'warn' | 'info'>;
}

/**
 * Wakes the conversations of overdue messages that two sweeps see: a workflow may be terminated, or
 * Temporal may have lost its data (spec 6). While other conversations progress, the workers are
 * only busy, and waking would add load.
 */
export function startOverdueSweeper(deps: Deps): OverdueSweeper {
  const looking = repeatingTask(createSweep(deps), {
    everyMs: EVERY_MS,
    onError: (error) => deps.log.warn({ err: error }, 'failed to search for overdue messages'),
  });
  looking.start();
  return { end: looking.stop };
}

/** Returns a sweep. A sweep returns true if the next one should follow immediately. */
function createSweep({ conversations, log }: Deps): () => Promise<boolean> {
  const resting = createCooldown(AGAIN_AFTER_MS);
  // Later messages are next, so that conversations that cannot be woken do not block them.
  let after: Date | undefined;
  const progress = overdueProgress();

  async function wakeOne(one: Overdue): Promise<void> {
    const { conversation } = one;
    // Fails if the conversation is paused or the server is busy. A later sweep tries again.
    const complain = (error: unknown) =>
      log.warn({ err: error, conversation }, 'a conversation with an overdue message cannot be woken');
    await resting.during(conversation, () => wake(conversations, one).catch(complain));
  }

  return async () => {
    const now = storeNow();
    const overdue = await findOverdue({ before: new Date(now - OVERDUE_MS), after, limit: MAX_SEEN });
    const isFirst = after === undefined;
    const firsts = new Map(overdue.toReversed().map((one) => [one.conversation, one]));
    const waiting = [...firsts.values()].reverse();
    const asleep = isFirst
      ? progress.stuck(waiting, now, resting.has)
      : waiting.filter(({ conversation }) => !resting.has(conversation));
    const woken = asleep.slice(0, MAX_WOKEN);
    if (woken.length > 0)
      log.info({ conversations: woken.length }, 'waking conversations with overdue messages');
    await withTimeout(Promise.all(woken.map(wakeOne)), LOOK_TIMEOUT_MS, () => undefined);
    if (asleep.length > MAX_WOKEN) return true;
    // If none of the oldest is stuck, the later ones are not stuck either.
    if (isFirst && woken.length === 0 && !waiting.every(({ conversation }) => resting.has(conversation)))
      return false;
    after = overdue.length === MAX_SEEN ? overdue.at(-1)?.dueAt : undefined;
    return after !== undefined;
  };
}

// Sends an edit of an unknown message, which changes nothing but starts the workflow. The id is
// stable, so a pending wake-up is not sent twice.
async function wake(conversations: Conversations, { id, conversation }: Overdue): Promise<void> {
  const caller = { user: NO_ID, role: 'admin', origin: 'message' } as const;
  await conversations.edit(conversation, { id: `wake-${id}`, message: NO_ID, caller, edit: {} });
}

/** A conversation overdue for longer was seen by an earlier sweep. */
const SEEN_MS = 900;
/** Workers count as busy for this time after a conversation progressed. */
const BUSY_MS = 1_500;
/** A conversation counts as stuck after this delay even if the workers are busy. */
const TOO_LATE_MS = 10_000;

/** Distinguishes stuck conversations from busy workers. Times are epoch milliseconds. */
interface OverdueProgress {
  /**
   * Returns the conversations to wake, given the oldest overdue messages. Progress of conversations
   * with `isWoken` does not show that workers are busy.
   */
  stuck: (overdue: readonly Overdue[], now: number, isWoken: (conversation: string) => boolean) => Overdue[];
}

export function overdueProgress(): OverdueProgress {
  let seen = new Map<string, number>();
  let movedAt = -Infinity;
  return {
    stuck(overdue, now, isWoken) {
      const waiting = new Set(overdue.map(({ conversation }) => conversation));
      const moved = (conversation: string) => !waiting.has(conversation) && !isWoken(conversation);
      if ([...seen.keys()].some(moved)) movedAt = now;
      seen = new Map([...waiting].map((conversation) => [conversation, seen.get(conversation) ?? now]));
      const isBusy = now - movedAt < BUSY_MS;
      return overdue.filter(({ conversation, dueAt }) => {
        const wasSeen = now - (seen.get(conversation) ?? now) >= SEEN_MS;
        return !isWoken(conversation) && ((wasSeen && !isBusy) || now - dueAt.getTime() >= TOO_LATE_MS);
      });
    },
  };
}
