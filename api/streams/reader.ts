import type { Part } from '../../store/queries/read-up-to.ts';
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
export interface Now {
  conversation: ConversationSnapshot;
  waiting: MessageDocument[];
  /** Whether all that it says of messages is written. */
  settled: boolean;
}

/** What streams read. Those of one conversation ask at the same moment and share the answers. */
export interface StreamReader {
  stretch: (head: ConversationHead, after: number) => Promise<MessageRange>;
  /** The messages that were edited or deleted after a version, a page of them. */
  changed: (head: ConversationHead, after: number) => Promise<Part<MessageDocument>>;
  /** Null: it is deleted. */
  now: (head: ConversationHead) => Promise<Now | null>;
}

export function createStreamReader(): StreamReader {
  const stretches = sharing<MessageRange>();
  const changes = sharing<Part<MessageDocument>>();
  const nows = sharing<Now | null>();
  return {
    stretch: ({ id, sequence }, after) =>
      stretches(`${id} ${after} ${sequence}`, () =>
        findMessagesInRange(id, { after, last: sequence, ...BOUNDS }),
      ),
    changed: ({ id, version }, after) =>
      changes(`${id} ${after} ${version}`, () => findChanged(id, { after, last: version, ...BOUNDS })),
    now: ({ id, version }) => nows(`${id} ${version}`, () => findNow(id)),
  };
}

async function findNow(id: string): Promise<Now | null> {
  const found = await findSnapshot(id);
  if (!found) return null;
  const soonest = found.conversation.pending.slice(0, MAX_WAITING);
  return { ...found, waiting: await findDelayedMessages(soonest.map((one) => one.id)) };
}

/** Callers with the same key share one run while it runs; nothing is kept. */
function sharing<T>(): (key: string, run: () => Promise<T>) => Promise<T> {
  const running = new Map<string, Promise<T>>();
  return (key, run) => {
    const known = running.get(key);
    if (known) return known;
    const started = run().finally(() => running.delete(key));
    running.set(key, started);
    return started;
  };
}
