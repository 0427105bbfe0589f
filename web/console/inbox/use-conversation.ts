import { ParlanceError } from '@parlance/client';
import type { Options, StreamEvent } from '@parlance/client';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { client } from '../session.ts';
import type { InboxConversation, TimelineMessage } from './conversation.ts';
import { keepConnected, streamTurn } from './streams.ts';

const PAGE = 100;
const POPULATE = 'contact:profile|identities,participants.user:name|avatar|status';

interface Typist {
  user?: string | undefined;
  role?: string | undefined;
}

export interface ConversationState {
  conversation: InboxConversation | undefined;
  /** Sorted by sequence. */
  messages: readonly TimelineMessage[];
  delayed: readonly TimelineMessage[];
  hasEarlier: boolean;
  /** The contact has no `user`. */
  typing: readonly Typist[];
  connection: 'connecting' | 'online' | 'offline' | 'gone';
  error: Error | undefined;
}

const EMPTY_STATE: ConversationState = {
  conversation: undefined,
  messages: [],
  delayed: [],
  hasEarlier: false,
  typing: [],
  connection: 'connecting',
  error: undefined,
};

export interface LiveConversation extends ConversationState {
  readEarlier: () => Promise<void>;
  again: () => void;
}

/** See spec 5.12. */
export function useConversation(id: string): LiveConversation {
  const [state, setState] = useState(EMPTY_STATE);
  const known = useRef(state);
  known.current = state;
  const change = useCallback(
    (part: Partial<ConversationState>) => setState((now) => ({ ...now, ...part })),
    [],
  );
  const head = useCallback(async () => {
    const path = { id };
    const [conversation, delayed] = await Promise.all([
      client.call('GET /conversations/{id}', { path, query: { populate: POPULATE, select: '-messages' } }),
      loadTimeline(id, { processedAt: '!', limit: PAGE }),
    ]);
    change({ conversation, delayed });
  }, [id]);

  useEffect(() => {
    const ended = new AbortController();
    const setMessages = (next: (messages: readonly TimelineMessage[]) => readonly TimelineMessage[]) =>
      setState((now) => ({ ...now, messages: next(now.messages) }));
    void keepUpToDate({ id, change, setMessages, head, signal: ended.signal });
    return () => ended.abort();
  }, [id]);

  return {
    ...state,
    again: () => void head().catch(() => undefined),
    async readEarlier() {
      const first = known.current.messages[0]?.sequence;
      if (first === undefined) return;
      const page = await loadTimeline(id, { sequence: `<${first}`, sort: '-sequence', limit: PAGE });
      setState((now) => ({
        ...now,
        messages: mergeMessages(now.messages, page),
        hasEarlier: page.length === PAGE,
      }));
    },
  };
}

interface ConversationStreamContext {
  id: string;
  change: (part: Partial<ConversationState>) => void;
  setMessages: (next: (messages: readonly TimelineMessage[]) => readonly TimelineMessage[]) => void;
  head: () => Promise<void>;
  signal: AbortSignal;
}

async function keepUpToDate(context: ConversationStreamContext): Promise<void> {
  const { id, change, setMessages, head, signal } = context;
  await keepConnected(signal, {
    async connect(connected) {
      const newest = await loadTimeline(id, { sort: '-sequence', limit: PAGE });
      setMessages((now) => mergeMessages(now, newest));
      await head();
      change({ connection: 'online', error: undefined, hasEarlier: (newest.at(-1)?.sequence ?? 1) > 1 });
      connected();
      const after = newest[0]?.sequence ?? 0;
      await streamTurn(signal, {
        open: (options) => client.stream(id, { ...options, after }),
        take: createEventHandler(context),
      });
      change({ typing: [] });
    },
    lost(error) {
      const isGone = error instanceof ParlanceError && [403, 404].includes(error.status);
      // Show `offline` at once: on a dead connection, the next read fails late.
      change(isGone ? { connection: 'gone' } : { error, typing: [], connection: 'offline' });
      return !isGone;
    },
  });
}

function createEventHandler({ id, change, setMessages, head }: ConversationStreamContext) {
  let looking = Promise.resolve();
  const look = (work: () => Promise<void>) => {
    looking = looking.then(work).catch(() => undefined);
  };
  return ({ event, data }: StreamEvent) => {
    if (event === 'conversation') look(head);
    // The author of a delayed message, who has its id, is not typing now.
    if (event === 'typing') change({ typing: data.typing.filter(({ message }) => message === undefined) });
    if (event === 'receipt') {
      const { message: id, delivery } = data;
      setMessages((now) => now.map((message) => (message.id === id ? { ...message, delivery } : message)));
    }
    if (event !== 'message') return;
    if ('deletedAt' in data) setMessages((now) => now.filter((message) => message.id !== data.id));
    // The stream omits the author, so load the message.
    else
      look(async () => {
        const added = await loadTimeline(id, { id: data.id });
        setMessages((now) => mergeMessages(now, added));
      });
  };
}

function loadTimeline(
  id: string,
  query: Options<'GET /conversations/{id}/timeline'>['query'],
): Promise<TimelineMessage[]> {
  return client.call('GET /conversations/{id}/timeline', { path: { id }, query });
}

/** For equal ids, `added` wins. */
function mergeMessages(
  now: readonly TimelineMessage[],
  added: readonly TimelineMessage[],
): TimelineMessage[] {
  const byId = new Map([...now, ...added].map((message) => [message.id, message]));
  return [...byId.values()].sort((a, b) => (a.sequence ?? Infinity) - (b.sequence ?? Infinity));
}
