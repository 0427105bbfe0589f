import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../parts/refusals.ts';
import { api, buildQuery } from '../request.ts';
import { liveTurn, readEvents, waitUntilNeeded } from '../../components/live.ts';
import { waitMs } from '../../page/busy.ts';
import type { Conversation, TimelineMessage } from './conversation.ts';
import { isEnded } from './filters.ts';

const PAGE = 100;
const POPULATE = 'contact:profile,participants.user:name|avatar|status';

export interface ConversationState {
  conversation: Conversation | undefined;
  /** Sorted by sequence, without duplicates. */
  messages: readonly TimelineMessage[];
  delayed: readonly TimelineMessage[];
  hasEarlier: boolean;
  typing: readonly string[];
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

/** Follows a conversation by its stream (spec 5.12). */
export function useConversation(id: string): LiveConversation {
  const [state, setState] = useState(EMPTY_STATE);
  const known = useRef(state);
  known.current = state;
  const change = useCallback(
    (part: Partial<ConversationState>) => setState((now) => ({ ...now, ...part })),
    [],
  );
  const head = useCallback(async () => {
    const [conversation, delayed] = await Promise.all([
      api<Conversation>(
        'GET',
        `/conversations/${id}${buildQuery({ populate: POPULATE, select: '-messages' })}`,
      ),
      api<TimelineMessage[]>(
        'GET',
        `/conversations/${id}/timeline${buildQuery({ processedAt: '!', limit: 100 })}`,
      ),
    ]);
    change({ conversation: conversation.body, delayed: delayed.body });
  }, [id]);

  useEffect(() => {
    const ended = new AbortController();
    const add = (added: readonly TimelineMessage[]) =>
      setState((now) => ({ ...now, messages: mergeMessages(now.messages, added) }));
    void keepUpToDate({ id, change, add, head, signal: ended.signal });
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
  add: (messages: readonly TimelineMessage[]) => void;
  head: () => Promise<void>;
  signal: AbortSignal;
}

/** Follows the stream, again after each disconnect, until the signal aborts. */
async function keepUpToDate(staying: ConversationStreamContext): Promise<void> {
  const { id, change, add, head, signal } = staying;
  for (let failures = 0; !isEnded(signal); failures += 1) {
    try {
      const newest = await loadTimeline(id, { sort: '-sequence', limit: PAGE });
      add(newest);
      await head();
      change({ connection: 'online', error: undefined, hasEarlier: (newest.at(-1)?.sequence ?? 1) > 1 });
      failures = 0;
      const turn = await liveTurn(signal, {
        stream: (end) => readStream(staying, newest[0]?.sequence ?? 0, end),
      });
      if (turn === 'released') {
        change({ typing: [] });
        continue;
      }
    } catch (problem) {
      if (isEnded(signal)) return;
      const isGone = problem instanceof ApiError && [403, 404].includes(problem.status);
      change(isGone ? { connection: 'gone' } : { error: problem as Error });
      if (isGone) return;
    }
    // On a dead connection the next read takes long, and the page is stale until it ends.
    change({ typing: [], connection: 'offline' });
    await waitUntilNeeded(signal, waitMs(failures));
  }
}

async function readStream(
  { id, change, add, head }: ConversationStreamContext,
  after: number,
  signal: AbortSignal,
): Promise<void> {
  const { body } = await api<{ url: string }>('POST', `/conversations/${id}/stream/ticket`);
  const ticket = new URL(body.url).searchParams.get('ticket') ?? '';
  let looking = Promise.resolve();
  const look = (work: () => Promise<void>) => {
    looking = looking.then(work).catch(() => undefined);
  };
  const handlers = {
    message({ data }: MessageEvent<string>) {
      const message = JSON.parse(data) as TimelineMessage & { deletedAt?: string };
      if (message.deletedAt !== undefined) add([{ ...message, text: '', type: 'deleted' }]);
      // The stream omits the author, so load the message.
      else look(async () => add(await loadTimeline(id, { id: message.id })));
    },
    conversation: () => look(head),
    typing({ data }: MessageEvent<string>) {
      const { typing } = JSON.parse(data) as { typing: { role?: string }[] };
      change({ typing: typing.map(({ role = 'bot' }) => role) });
    },
  };
  await readEvents(`v2/conversations/${id}/stream${buildQuery({ ticket, after })}`, handlers, signal);
}

async function loadTimeline(id: string, asked: Record<string, string | number>): Promise<TimelineMessage[]> {
  return (await api<TimelineMessage[]>('GET', `/conversations/${id}/timeline${buildQuery(asked)}`)).body;
}

/** The newer version of a message wins. Deleted messages are removed. */
function mergeMessages(
  now: readonly TimelineMessage[],
  added: readonly TimelineMessage[],
): TimelineMessage[] {
  const byId = new Map([...now, ...added].map((message) => [message.id, message]));
  return [...byId.values()]
    .filter(({ type }) => type !== 'deleted')
    .sort((a, b) => (a.sequence ?? Infinity) - (b.sequence ?? Infinity));
}
