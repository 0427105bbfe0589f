import type { Overdue } from '../store/conversations/overdue-messages.ts';

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
export interface OverdueProgress {
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
