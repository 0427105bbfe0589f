import type { Logger } from 'pino';
import { repeatingTask } from '../../platform/concurrency/repeating-task.ts';
import { findHeadsWithPresence } from '../../store/conversations/stream.ts';
import type { ConversationHead } from '../../store/conversations/stream.ts';

const POLL_MS = 200;

/** Told where a conversation is, five times a second; null once it is deleted. */
export type Watcher = (head: ConversationHead | null) => void;

/**
 * Looks after the conversations that somebody streams: two small queries for all of them, and none
 * while there are none.
 */
export interface HeadPoller {
  /** Answers how to end it. */
  watch: (id: string, watcher: Watcher) => () => void;
}

export function createHeadPoller(log: Pick<Logger, 'warn'>, find = findHeadsWithPresence): HeadPoller {
  const watchers = new Map<string, Set<Watcher>>();

  async function pollHeads(): Promise<void> {
    const ids = [...watchers.keys()];
    const heads = new Map((await find(ids)).map((head) => [head.id, head]));
    for (const id of ids) {
      for (const watcher of watchers.get(id) ?? []) watcher(heads.get(id) ?? null);
    }
  }

  const polling = repeatingTask(pollHeads, {
    everyMs: POLL_MS,
    isWanted: () => watchers.size > 0,
    // A store that does not answer is told by every request; here it only means to look again.
    onError: (error) => log.warn({ err: error }, 'streams cannot look for news'),
  });

  return {
    watch(id, watcher) {
      const others = watchers.get(id) ?? new Set();
      watchers.set(id, others.add(watcher));
      polling.start();
      return () => {
        others.delete(watcher);
        if (others.size === 0 && watchers.get(id) === others) watchers.delete(id);
      };
    },
  };
}
