import type { Logger } from 'pino';
import { repeatingTask } from '../platform/concurrency/repeating-task.ts';
import { createCooldown } from '../platform/concurrency/resting-keys.ts';
import { withTimeout } from '../platform/concurrency/with-timeout.ts';
import type { Conversations } from '../workflows/client/conversations.ts';
import { storeNow } from '../store/cluster/clock.ts';
import { findOverdue } from '../store/conversations/find-messages.ts';
import type { Overdue } from '../store/conversations/find-messages.ts';

const EVERY_MS = 1_000;
/** What a look sees. What is woken was seen before, and is a second later then. */
const OVERDUE_MS = 1_000;
/**
 * Messages that one look sees, and conversations that it wakes: thousands at once would leave
 * nothing to anybody else.
 */
const MAX_SEEN = 200;
const MAX_WOKEN = 20;
/** One that cannot be woken does not hold up the others for longer. */
const LOOK_TIMEOUT_MS = 2_000;
const AGAIN_AFTER_MS = 5_000;
const NO_ID = '0'.repeat(24);

/** Ends the looking. */
export interface OverdueSweeper {
  end(): Promise<void>;
}

interface Deps {
  conversations: Conversations;
  log: Pick<Logger, 'warn' | 'info'>;
}

/**
 * Looks every second for delayed messages that are overdue, and wakes their conversations when it
 * sees them again, some at a time: the workflow of one that an operator terminated, and all of them
 * where Temporal lost its data, would else sleep until somebody posts (spec 6). Where others go on
 * by themselves meanwhile, the workers are busy, and waking would only be more to do.
 */
export function startOverdueSweeper(deps: Deps): OverdueSweeper {
  const looking = repeatingTask(createSweep(deps), {
    everyMs: EVERY_MS,
    onError: (error) => deps.log.warn({ err: error }, 'cannot look for overdue messages'),
  });
  looking.start();
  return { end: looking.stop };
}

/** Answers a look, which answers whether there is more to see at once. */
function createSweep({ conversations, log }: Deps): () => Promise<boolean> {
  const resting = createCooldown(AGAIN_AFTER_MS);
  // Those behind it come first, so that none that cannot be helped holds up the others. None: from
  // the beginning.
  let after: Date | undefined;
  const progress = overdueProgress();

  async function wakeOne(one: Overdue): Promise<void> {
    const { conversation } = one;
    // A paused one cannot be woken, nor one whose server is busy: a later look tries again.
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
    // Where none of them is stuck, those behind them are not either.
    if (isFirst && woken.length === 0 && !waiting.every(({ conversation }) => resting.has(conversation)))
      return false;
    after = overdue.length === MAX_SEEN ? overdue.at(-1)?.dueAt : undefined;
    return after !== undefined;
  };
}

// An edit of a message that is nowhere changes nothing, but starts the workflow and has it load
// what is stored. The same waking always has the same id: one that has to wait is not sent twice.
async function wake(conversations: Conversations, { id, conversation }: Overdue): Promise<void> {
  const caller = { user: NO_ID, role: 'admin', origin: 'message' } as const;
  await conversations.edit(conversation, { id: `wake-${id}`, message: NO_ID, caller, edit: {} });
}

/** A conversation that is seen for longer than this was seen by an earlier look. */
const SEEN_MS = 900;
/** For so long others are known to go on by themselves once one has. */
const BUSY_MS = 1_500;
/** So late, a conversation is stuck whatever becomes of others. */
const TOO_LATE_MS = 10_000;

/**
 * Tells conversations that do not go on by themselves from those whose turn has not come yet. Where
 * thousands of messages are due at one moment the workers need a while, and waking conversations
 * would only be more to do. Times in epoch milliseconds.
 */
interface OverdueProgress {
  /**
   * Those of the overdue that are to be woken. Takes those that have waited longest of all, and
   * remembers them. `isWoken`: somebody has helped, so that it says nothing of the others when it
   * goes on.
   */
  stuck: (overdue: readonly Overdue[], now: number, isWoken: (conversation: string) => boolean) => Overdue[];
}

/** Has seen nothing yet. */
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
