import type { Logger } from 'pino';
import type { Conversations } from '../posting/conversations.ts';
import { storeNow } from '../store/clock.ts';
import { findOverdue } from '../store/overdue-messages.ts';
import type { Overdue } from '../store/overdue-messages.ts';

const EVERY_MS = 60_000;
const OVERDUE_MS = 120_000;
const MOST_AT_ONCE = 50;
const NO_ID = '0'.repeat(24);

/** Ends the looking. */
export interface OverdueWatch {
  end(): Promise<void>;
}

/**
 * Looks every minute for delayed messages that are two minutes overdue, and wakes their conversations: the workflow of one that an operator
 * terminated would else sleep until somebody posts.
 */
export function startOverdueWatch(deps: { conversations: Conversations; log: Logger }): OverdueWatch {
  let after: Date | undefined;
  let round = Promise.resolve();
  const look = async () => {
    after = await wakeOverdue(deps, { before: new Date(storeNow() - OVERDUE_MS), after });
  };
  const timer = setInterval(() => {
    round = round
      .then(look)
      .catch((error: unknown) => deps.log.warn({ err: error }, 'cannot look for overdue messages'));
  }, EVERY_MS);
  return {
    async end() {
      clearInterval(timer);
      await round;
    },
  };
}

/**
 * Wakes the conversations of some messages that were due before a time: at most fifty, those behind `after` first, so that none that cannot
 * be helped holds up the others. Answers where to go on the next time; undefined: from the beginning.
 */
export async function wakeOverdue(
  { conversations, log }: { conversations: Conversations; log: Pick<Logger, 'warn' | 'info'> },
  { before, after }: { before: Date; after: Date | undefined },
): Promise<Date | undefined> {
  const overdue = await findOverdue({ before, after, limit: MOST_AT_ONCE });
  const firsts = new Map(overdue.toReversed().map((one) => [one.conversation, one]));
  await Promise.all([...firsts.values()].map((one) => wake(conversations, one).catch(told)));
  if (firsts.size > 0) log.info({ conversations: firsts.size }, 'woke conversations with overdue messages');
  return overdue.length === MOST_AT_ONCE ? overdue.at(-1)?.dueAt : undefined;

  // A paused one cannot be woken, nor one whose server is busy: the next look tries again.
  function told(error: unknown): void {
    log.warn({ err: error }, 'a conversation with an overdue message cannot be woken');
  }
}

// An edit of a message that is nowhere changes nothing, but starts the workflow and has it load what is stored. The same waking always has
// the same id: one that has to wait is not sent twice.
async function wake(conversations: Conversations, { id, conversation }: Overdue): Promise<void> {
  const caller = { user: NO_ID, role: 'admin', origin: 'message' } as const;
  await conversations.edit(conversation, { id: `wake-${id}`, message: NO_ID, caller, edit: {} });
}
