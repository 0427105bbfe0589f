import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Query } from '@parlance/client';
import { client } from '../session.ts';
import { useSignedIn } from '../use-action.ts';
import { useEvery } from '../use-query.ts';
import { LIST_SHAPE } from './conversation.ts';
import type { InboxConversation } from './conversation.ts';
import type { InboxFilter } from './filters.ts';
import { keepConnected, streamTurn } from './streams.ts';

const PAGE = 100;
/** Poll interval while the change stream is disconnected. */
const LOOK_MS = 3_000;

interface InboxQuery {
  filter: InboxFilter;
  user: string;
}

interface ListState {
  /** Latest message first. */
  items: readonly InboxConversation[];
  /** `lastMessageAt` at the end of the last loaded page. */
  reached: string | undefined;
  isComplete: boolean;
  isLoaded: boolean;
  /** True if the list may lack changes, because the stream or a request failed. */
  isBehind: boolean;
  error: Error | undefined;
}

interface Conversations extends ListState {
  more: () => void;
  again: () => void;
}

const EMPTY_LIST: ListState = {
  items: [],
  reached: undefined,
  isComplete: false,
  isLoaded: false,
  isBehind: false,
  error: undefined,
};

/** Each stream event loads the conversations that changed since the last change in the list. */
export function useConversations(filter: InboxFilter, user: string): Conversations {
  const [listed, setListed] = useState(EMPTY_LIST);
  const read = usePages({ filter, user }, setListed);
  // The user may switch the list before a response arrives.
  const current = useRef({ listed, filter, user, read });
  current.current = { listed, filter, user, read };
  useSignedIn(() => void read());
  const take = (changed: readonly InboxConversation[]) => {
    // There may be more changes than one page: load the list again.
    if (changed.length === PAGE) return void current.current.read();
    setListed((now) => ({ ...now, isBehind: false, items: mergeChanges(now, changed, current.current) }));
  };
  const look = useOneAtATime(async () => {
    const { items, isLoaded } = current.current.listed;
    if (!isLoaded) return;
    if (items.length === 0) await current.current.read();
    else await loadChangedSince(items).then(take, () => setListed((now) => ({ ...now, isBehind: true })));
  });
  const isDeaf = useChangeStream(look);
  useEffect(() => {
    if (!isDeaf) return;
    setListed((now) => ({ ...now, isBehind: now.isLoaded }));
    look();
  }, [isDeaf]);
  useEvery(isDeaf ? LOOK_MS : undefined, look);
  return {
    ...listed,
    more: () => {
      const { reached, isComplete, isLoaded } = current.current.listed;
      if (!isComplete && isLoaded) void read(reached);
    },
    again: () => void read(),
  };
}

/** Calls `call` when conversations may have changed. Returns whether the stream is disconnected. */
function useChangeStream(call: () => void): boolean {
  const latest = useRef(call);
  latest.current = call;
  const [isDeaf, setDeaf] = useState(false);
  useEffect(() => {
    const ended = new AbortController();
    const look = () => latest.current();
    const poll = () => {
      look();
      return Promise.resolve();
    };
    void keepConnected(ended.signal, {
      connect(connected) {
        const onOpen = () => {
          connected();
          setDeaf(false);
          // The stream does not send changes from before it opened.
          look();
        };
        const open = (options: object) => client.changes({ ...options, onOpen });
        return streamTurn(ended.signal, { open, take: look, poll });
      },
      lost() {
        setDeaf(true);
        return true;
      },
    });
    return () => ended.abort();
  }, []);
  return isDeaf;
}

/**
 * Returns a function that runs `work`. Calls during a run cause one more run after it. `work` must
 * not reject.
 */
function useOneAtATime(work: () => Promise<void>): () => void {
  const state = useRef({ isUnderWay: false, isWanted: false });
  return function run() {
    const { current } = state;
    current.isWanted = current.isUnderWay;
    if (current.isUnderWay) return;
    current.isUnderWay = true;
    void work().finally(() => {
      current.isUnderWay = false;
      if (current.isWanted) run();
    });
  };
}

/**
 * Returns a function that loads the page of conversations up to a time (inclusive), or the first
 * page.
 */
function usePages(
  { filter, user }: InboxQuery,
  setListed: (change: (now: ListState) => ListState) => void,
): (before?: string) => Promise<void> {
  const reading = useRef<AbortController>(undefined);
  const read = useCallback(
    async (before?: string) => {
      if (reading.current && before !== undefined) return;
      const mine = new AbortController();
      reading.current = mine;
      try {
        const query = {
          ...filter.query(user),
          lastMessageAt: before && `<=${before}`,
          sort: '-lastMessageAt',
        };
        const page = await loadList(query, mine.signal);
        const isComplete = page.length < PAGE;
        setListed((now) => ({
          items: sortConversations(before === undefined ? page : [...now.items, ...page]),
          reached: page.at(-1)?.lastMessageAt ?? now.reached,
          isComplete,
          isLoaded: true,
          isBehind: false,
          error: undefined,
        }));
      } catch (error) {
        const known = error as Error;
        const withError = (now: ListState) =>
          now.items.length === 0 ? { ...now, error: known } : { ...now, isBehind: true };
        if (!mine.signal.aborted) setListed(withError);
      } finally {
        if (reading.current === mine) reading.current = undefined;
      }
    },
    [filter, user],
  );
  useEffect(() => {
    setListed(() => EMPTY_LIST);
    void read();
    return () => {
      reading.current?.abort();
      reading.current = undefined;
    };
  }, [read]);
  return read;
}

function loadList(given: Query, signal?: AbortSignal): Promise<InboxConversation[]> {
  return client.call('GET /conversations', { query: { ...LIST_SHAPE, ...given, limit: PAGE }, signal });
}

function loadChangedSince(items: readonly InboxConversation[]): Promise<InboxConversation[]> {
  const at = items.reduce((last, { updatedAt }) => (updatedAt > last ? updatedAt : last), '');
  return loadList({ updatedAt: `>=${at}`, sort: '-updatedAt' });
}

function mergeChanges(
  { items, reached = '', isComplete }: ListState,
  changed: readonly InboxConversation[],
  { filter, user }: InboxQuery,
): readonly InboxConversation[] {
  const before = new Map(items.map((one) => [one.id, one]));
  const isNew = changed.some((one) => JSON.stringify(before.get(one.id)) !== JSON.stringify(one));
  if (!isNew) return items;
  const ids = new Set(changed.map(({ id }) => id));
  // An older conversation is loaded with a later page.
  const still = changed.filter(
    (one) => (isComplete || one.lastMessageAt >= reached) && filter.takes(one, user),
  );
  return sortConversations([...still, ...items.filter(({ id }) => !ids.has(id))]);
}

function sortConversations(all: readonly InboxConversation[]): InboxConversation[] {
  const byId = new Map<string, InboxConversation>();
  for (const one of all) if (!byId.has(one.id)) byId.set(one.id, one);
  const time = ({ lastMessageAt }: InboxConversation) => Date.parse(lastMessageAt);
  return [...byId.values()].sort((a, b) => time(b) - time(a));
}
