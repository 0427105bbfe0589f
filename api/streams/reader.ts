import type { Part } from '../../store/queries/listing.ts';
import type { MessageDocument } from '../../store/conversations/messages.ts';
import {
  findChanged,
  findSnapshot,
  findMessagesInRange,
  findDelayedMessages,
} from '../../store/conversations/stream.ts';
import type {
  ConversationHead,
  ConversationSnapshot,
  MessageRange,
} from '../../store/conversations/stream.ts';

/** One read has about the size of a subscriber's buffer. */
const BOUNDS = { limit: 20, maxCharacters: 128 * 1024 };
/** More delayed messages do not change who is typing. */
const MAX_WAITING = 20;

export interface LiveSnapshot {
  conversation: ConversationSnapshot;
  waiting: MessageDocument[];
  /** Whether all rows of the last commit are written. */
  settled: boolean;
}

/** Concurrent equal reads share one query. */
export interface StreamReader {
  readRange: (head: ConversationHead, after: number) => Promise<MessageRange>;
  /** Returns one page. */
  readChanges: (head: ConversationHead, after: number) => Promise<Part<MessageDocument>>;
  /** Null if deleted. */
  readSnapshot: (head: ConversationHead) => Promise<LiveSnapshot | null>;
}

export function createStreamReader(): StreamReader {
  const stretches = createSharedReads<MessageRange>();
  const changes = createSharedReads<Part<MessageDocument>>();
  const nows = createSharedReads<LiveSnapshot | null>();
  return {
    readRange: ({ id, sequence }, after) =>
      stretches(`${id} ${after} ${sequence}`, () =>
        findMessagesInRange(id, { after, last: sequence, ...BOUNDS }),
      ),
    readChanges: ({ id, version }, after) =>
      changes(`${id} ${after} ${version}`, () => findChanged(id, { after, last: version, ...BOUNDS })),
    readSnapshot: ({ id, version }) => nows(`${id} ${version}`, () => findLiveSnapshot(id)),
  };
}

async function findLiveSnapshot(id: string): Promise<LiveSnapshot | null> {
  const found = await findSnapshot(id);
  if (!found) return null;
  const soonest = found.conversation.pending.slice(0, MAX_WAITING);
  return { ...found, waiting: await findDelayedMessages(soonest.map((one) => one.id)) };
}

/** Shares running reads by key, and caches nothing. */
function createSharedReads<T>(): (key: string, run: () => Promise<T>) => Promise<T> {
  const running = new Map<string, Promise<T>>();
  return (key, run) => {
    const known = running.get(key);
    if (known) return known;
    const started = run().finally(() => running.delete(key));
    running.set(key, started);
    return started;
  };
}
