import { ParlanceError } from '@parlance/client';
import type { Options, StreamEvent } from '@parlance/client';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { client } from '../session.ts';
import { createTurns } from '../turns.ts';
import type { InboxConversation, TimelineMessage } from './conversation.ts';
import { mergeMessages, mergeNewest } from './entries.ts';
import { keepConnected, streamTurn } from './streams.ts';

const PAGE = 100;
const POPULATE = 'contact:profile|identities|blocked,participants.user:name|avatar|status';

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
  const [begin] = useState(createTurns);
  const head = useCallback(async () => {
    const path = { id };
    const { isLate } = begin();
    const [conversation, delayed] = await Promise.all([
      client.call('GET /conversations/{id}', { path, query: { populate: POPULATE, select: '-messages' } }),
      loadTimeline(id, { processedAt: '!', limit: PAGE }),
    ]);
    if (!isLate()) change({ conversation, delayed });
  }, [id]);
  const [deleted] = useState(() => new Set<string>());
  const merge = useCallback(
    (added: readonly TimelineMessage[]) =>
      setState((now) => ({ ...now, messages: mergeMessages(now.messages, added, deleted) })),
    [],
  );

  useEffect(() => {
    const ended = new AbortController();
    const context = { id, change, setState, merge, deleted, head, signal: ended.signal };
    void keepUpToDate(context);
    return () => ended.abort();
  }, [id]);

  const messagesOf = (sequence: string) => loadTimeline(id, { sequence, sort: '-sequence', limit: PAGE });
  return {
    ...state,
    again() {
      // Without a stream, the own reply would appear with the next poll.
      const last = known.current.messages.at(-1)?.sequence ?? 0;
      void head().catch(() => undefined);
      void messagesOf(`>${last}`).then(merge, () => undefined);
    },
    async readEarlier() {
      const first = known.current.messages[0]?.sequence;
      if (first === undefined) return;
      const page = await messagesOf(`<${first}`);
      merge(page);
      change({ hasEarlier: page.length === PAGE });
    },
  };
}

interface ConversationStreamContext {
  id: string;
  change: (part: Partial<ConversationState>) => void;
  setState: (change: (now: ConversationState) => ConversationState) => void;
  merge: (added: readonly TimelineMessage[]) => void;
  /** Ids of deleted messages, which a read that began before may still return. */
  deleted: Set<string>;
  head: () => Promise<void>;
  signal: AbortSignal;
}

async function keepUpToDate(context: ConversationStreamContext): Promise<void> {
  const { id, change, setState, deleted, head, signal } = context;
  await keepConnected(signal, {
    async connect(connected) {
      const newest = await loadTimeline(id, { sort: '-sequence', limit: PAGE });
      setState((now) => {
        const merged = mergeNewest(now.messages, newest, newest.length < PAGE);
        const messages = mergeMessages(merged, [], deleted);
        const first = newest.at(-1)?.sequence ?? 1;
        const isLonger = (messages[0]?.sequence ?? 1) < first;
        return { ...now, messages, hasEarlier: isLonger ? now.hasEarlier : first > 1 };
      });
      await head();
      change({ connection: 'online', error: undefined });
      connected();
      const after = newest[0]?.sequence ?? 0;
      await streamTurn(signal, {
        open: (options) => client.stream(id, { ...options, after }),
        take: createEventHandler(context),
      });
      change({ typing: [] });
    },
    lost(error) {
      const isGone = error instanceof ParlanceError && [400, 403, 404].includes(error.status);
      // Show `offline` at once: on a dead connection, the next read fails late.
      change(isGone ? { connection: 'gone' } : { error, typing: [], connection: 'offline' });
      return !isGone;
    },
  });
}

function createEventHandler({ id, change, setState, merge, deleted, head }: ConversationStreamContext) {
  let looking = Promise.resolve();
  const look = (work: () => Promise<void>) => {
    looking = looking.then(work).catch(() => undefined);
  };
  return ({ event, data }: StreamEvent) => {
    if (event === 'conversation') look(head);
    // The author of a delayed message, who has its id, is not typing now.
    if (event === 'typing') change({ typing: data.typing.filter(({ message }) => message === undefined) });
    if (event === 'receipt') {
      const { message, delivery } = data;
      setState((now) => ({
        ...now,
        messages: now.messages.map((one) => (one.id === message ? { ...one, delivery } : one)),
      }));
    }
    if (event !== 'message') return;
    if ('deletedAt' in data) {
      deleted.add(data.id);
      merge([]);
    }
    // The stream omits the author, so load the message.
    else look(async () => merge(await loadTimeline(id, { id: data.id })));
  };
}

function loadTimeline(
  id: string,
  query: Options<'GET /conversations/{id}/timeline'>['query'],
): Promise<TimelineMessage[]> {
  return client.call('GET /conversations/{id}/timeline', { path: { id }, query });
}
