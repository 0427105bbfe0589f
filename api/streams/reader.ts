import type { Part } from '../../store/queries/find.ts';
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

/** What is read of one look's messages: about as much as a listener takes at once. */
const BOUNDS = { limit: 20, maxCharacters: 128 * 1024 };
/** Who has more than this many messages waiting is typing anyway. */
const MAX_WAITING = 20;

/** A conversation as it is now, and its messages that wait for their time. */
export interface LiveSnapshot {
  conversation: ConversationSnapshot;
  waiting: MessageDocument[];
  /** Whether all that it says of messages is written. */
  settled: boolean;
}

/** What streams read. Those of one conversation ask at the same moment and share the answers. */
export interface StreamReader {
  readRange: (head: ConversationHead, after: number) => Promise<MessageRange>;
  /** The messages that were edited or deleted after a version, a page of them. */
  readChanges: (head: ConversationHead, after: number) => Promise<Part<MessageDocument>>;
  /** Null: it is deleted. */
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

/** Callers with the same key share one run while it runs; nothing is kept. */
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
