import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { api, buildQuery } from '../request.ts';
import { useSignedIn } from '../use-action.ts';
import { useEvery } from '../use-query.ts';
import { LIST_SHAPE } from './conversation.ts';
import type { Conversation } from './conversation.ts';
import type { InboxFilter } from './filters.ts';
import { useChangeStream } from './use-change-stream.ts';

const PAGE = 100;
/** Poll interval while the change stream is disconnected. */
const LOOK_MS = 3_000;

export interface Conversations {
  /** Latest message first. */
  items: readonly Conversation[];
  isComplete: boolean;
  isLoaded: boolean;
  /** The last request for changes failed. */
  isBehind: boolean;
  error: Error | undefined;
  more: () => void;
  again: () => void;
}

interface InboxQuery {
  filter: InboxFilter;
  user: string;
}

interface ListState {
  items: readonly Conversation[];
  /** `lastMessageAt` of the last conversation in the last loaded page. */
  reached: string | undefined;
  isComplete: boolean;
  isLoaded: boolean;
  isBehind: boolean;
  error?: Error;
}

const EMPTY_LIST: ListState = {
  items: [],
  reached: undefined,
  isComplete: false,
  isLoaded: false,
  isBehind: false,
};

/** Loads more pages on scroll, and requests what changed since the newest listed change. */
export function useConversations(filter: InboxFilter, user: string): Conversations {
  const [listed, setListed] = useState(EMPTY_LIST);
  const known = useRef(listed);
  known.current = listed;
  const read = usePages({ filter, user }, setListed);
  useChanges({ filter, user }, { known, setListed, read });
  useSignedIn(() => void read());
  return {
    ...listed,
    error: listed.error,
    more: () => {
      const { reached, isComplete, isLoaded } = known.current;
      if (!isComplete && isLoaded) void read(reached);
    },
    again: () => void read(),
  };
}

interface ChangeContext {
  known: { readonly current: ListState };
  setListed: (change: (now: ListState) => ListState) => void;
  read: (before?: string) => Promise<void>;
}

/** At each event of the stream, requests the changes since the newest listed change. */
function useChanges(wanted: InboxQuery, { known, setListed, read }: ChangeContext): void {
  // The user may have switched the list before the response arrives.
  const current = useRef({ wanted, read });
  current.current = { wanted, read };
  const take = (changed: readonly Conversation[]) => {
    // More changes than one page: load the list again.
    if (changed.length === PAGE) return void current.current.read();
    setListed((now) => ({
      ...now,
      isBehind: false,
      items: mergeChanges(now, changed, current.current.wanted),
    }));
  };
  const look = useOneAtATime(async () => {
    const { items, isLoaded } = known.current;
    if (!isLoaded) return;
    if (items.length === 0) await current.current.read();
    else
      await loadChangedSince(latestChangeTime(items)).then(take, () =>
        setListed((now) => ({ ...now, isBehind: true })),
      );
  });
  const isDeaf = useChangeStream(look);
  useEffect(() => {
    if (!isDeaf) return;
    // On a dead connection the request fails late.
    setListed((now) => ({ ...now, isBehind: now.isLoaded }));
    look();
  }, [isDeaf]);
  useEvery(isDeaf ? LOOK_MS : undefined, look);
}

/** Runs `work` once at a time. Calls during a run cause one more run. `work` must not reject. */
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

/** Loads the first page of a list. Returns a function that loads the page before a time. */
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
        const page = await loadPage({ filter, user }, { before, signal: mine.signal });
        const isComplete = page.length < PAGE;
        setListed((now) => ({
          items: sortConversations(before === undefined ? page : [...now.items, ...page]),
          reached: page.at(-1)?.lastMessageAt ?? now.reached,
          isComplete,
          isLoaded: true,
          isBehind: false,
        }));
      } catch (error) {
        if (!mine.signal.aborted) setListed((now) => withError(now, error as Error));
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

/** Keeps a loaded list visible and marks it as outdated. */
function withError(now: ListState, error: Error): ListState {
  return now.items.length === 0 ? { ...now, error } : { ...now, isBehind: true };
}

async function loadPage(
  { filter, user }: InboxQuery,
  { before, signal }: { before: string | undefined; signal: AbortSignal },
): Promise<Conversation[]> {
  const older = before === undefined ? {} : { lastMessageAt: `<=${before}` };
  const asked = { ...filter.query(user), ...older, ...LIST_SHAPE, sort: '-lastMessageAt', limit: PAGE };
  return (await api<Conversation[]>('GET', `/conversations${buildQuery(asked)}`, { signal })).body;
}

async function loadChangedSince(at: string): Promise<Conversation[]> {
  const path = `/conversations${buildQuery({ updatedAt: `>=${at}`, ...LIST_SHAPE, sort: '-updatedAt', limit: PAGE })}`;
  return (await api<Conversation[]>('GET', path)).body;
}

function latestChangeTime(items: readonly Conversation[]): string {
  return items.reduce((last, { updatedAt }) => (updatedAt > last ? updatedAt : last), '');
}

function mergeChanges(
  { items, reached = '', isComplete }: ListState,
  changed: readonly Conversation[],
  { filter, user }: InboxQuery,
): readonly Conversation[] {
  const before = new Map(items.map((one) => [one.id, one]));
  const isNew = changed.some((one) => JSON.stringify(before.get(one.id)) !== JSON.stringify(one));
  if (!isNew) return items;
  const ids = new Set(changed.map(({ id }) => id));
  // A conversation that is older than the pages read so far comes with a later page.
  const still = changed.filter(
    (one) => (isComplete || one.lastMessageAt >= reached) && filter.takes(one, user),
  );
  return sortConversations([...still, ...items.filter(({ id }) => !ids.has(id))]);
}

/** Keeps the first version of each conversation, sorted by the newest message. */
function sortConversations(all: readonly Conversation[]): Conversation[] {
  const byId = new Map<string, Conversation>();
  for (const one of all) if (!byId.has(one.id)) byId.set(one.id, one);
  return [...byId.values()].sort((a, b) =>
    a.lastMessageAt < b.lastMessageAt ? 1 : a.lastMessageAt > b.lastMessageAt ? -1 : 0,
  );
}
