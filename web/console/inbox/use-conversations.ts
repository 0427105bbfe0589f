import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Query } from '@parlance/client';
import { client } from '../session.ts';
import { useSignedIn } from '../use-action.ts';
import { useChanges, useGone, useOneAtATime } from './changes.tsx';
import { LIST_SHAPE } from './conversation.ts';
import type { InboxConversation } from './conversation.ts';
import { buildPageQuery } from './filters.ts';
import type { InboxFilter } from './filters.ts';

const PAGE = 100;
/** Least time between two reads of changes. The consoles of an office may share one rate limit. */
const PAUSE_MS = 1_000;

interface InboxQuery {
  filter: InboxFilter;
  user: string;
}

interface ListState {
  items: readonly InboxConversation[];
  /** Time by which the list is ordered, at the end of the last loaded page. */
  reached: string | undefined;
  isComplete: boolean;
  isLoaded: boolean;
  /** True if the list may lack changes, because the stream or a request failed. */
  isBehind: boolean;
  /** A stream event arrived while the first page was loading. */
  isStale: boolean;
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
  isStale: false,
  error: undefined,
};

/** Each stream event loads the conversations that changed since the last change in the list. */
export function useConversations(filter: InboxFilter, user: string): Conversations {
  const [listed, setListed] = useState(EMPTY_LIST);
  const events = useRef(0);
  const read = usePages({ filter, user }, setListed, events);
  // The user may switch the list before a response arrives.
  const current = useRef({ listed, filter, user, read });
  current.current = { listed, filter, user, read };
  useSignedIn(() => void read());
  const take = (changed: readonly InboxConversation[]) => {
    // There may be more changes than one page: load the list again.
    if (changed.length === PAGE) return void current.current.read();
    setListed((now) => ({
      ...now,
      ...{ isBehind: false, isStale: false, items: mergeChanges(now, changed, current.current) },
    }));
  };
  const look = useOneAtATime(async () => {
    const { items, isLoaded } = current.current.listed;
    if (!isLoaded) return;
    if (items.length === 0) await current.current.read();
    else await loadChangedSince(items).then(take, () => setListed((now) => ({ ...now, isBehind: true })));
  }, PAUSE_MS);
  const isDeaf = useChanges(() => {
    events.current += 1;
    look();
  });
  useGone((gone) => setListed((now) => ({ ...now, items: now.items.filter(({ id }) => id !== gone) })));
  useEffect(() => {
    if (listed.isStale) look();
  }, [listed.isStale]);
  useEffect(() => {
    if (isDeaf) setListed((now) => ({ ...now, isBehind: now.isLoaded }));
  }, [isDeaf]);
  return {
    ...listed,
    more: () => {
      const { reached, isComplete, isLoaded } = current.current.listed;
      if (!isComplete && isLoaded) void read(reached);
    },
    again: () => void read(),
  };
}

/**
 * Returns a function that loads the page of conversations up to a time (inclusive), or the first
 * page. `events`: number of stream events so far.
 */
function usePages(
  { filter, user }: InboxQuery,
  setListed: (change: (now: ListState) => ListState) => void,
  events: { readonly current: number },
): (before?: string) => Promise<void> {
  const reading = useRef<AbortController>(undefined);
  const read = useCallback(
    async (before?: string) => {
      if (reading.current && before !== undefined) return;
      const mine = new AbortController();
      reading.current = mine;
      const eventsBefore = events.current;
      try {
        const { found, reached, isComplete } = await loadEnough({ filter, user }, before, mine.signal);
        setListed((now) => ({
          items: sortConversations(before === undefined ? found : [...now.items, ...found], filter),
          reached: reached ?? now.reached,
          isComplete,
          isLoaded: true,
          isBehind: false,
          isStale: before === undefined ? events.current !== eventsBefore : now.isStale,
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

/** Fewer rows than these do not fill the list. */
const ENOUGH = 30;

/** Loads pages until the rows that the filter takes are enough, because it refuses some rows. */
async function loadEnough({ filter, user }: InboxQuery, from: string | undefined, signal: AbortSignal) {
  const found: InboxConversation[] = [];
  let reached = from;
  for (;;) {
    const page = await loadList(buildPageQuery(filter, user, reached), signal);
    found.push(...page.filter((one) => filter.takes(one, user)));
    const last = page.length > 0 ? getOrderTime(page.at(-1), filter) : reached;
    const isStuck = last === reached;
    reached = last;
    const isComplete = page.length < PAGE;
    if (isComplete || isStuck || found.length >= ENOUGH) return { found, reached, isComplete };
  }
}

function loadList(given: Query, signal?: AbortSignal): Promise<InboxConversation[]> {
  return client.call('GET /conversations', { query: { ...LIST_SHAPE, ...given, limit: PAGE }, signal });
}

/** A change becomes visible up to this time after its `updatedAt` (docs/queries.md). */
const MARGIN_MS = 10_000;

function loadChangedSince(items: readonly InboxConversation[]): Promise<InboxConversation[]> {
  const newest = Math.max(...items.map(({ updatedAt }) => Date.parse(updatedAt)));
  const since = new Date(newest - MARGIN_MS).toISOString();
  return loadList({ updatedAt: `>=${since}`, sort: '-updatedAt' });
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
  // A conversation after the loaded pages is loaded with a later page.
  const still = changed.filter(
    (one) =>
      (isComplete || comesBefore(getOrderTime(one, filter), reached, filter)) && filter.takes(one, user),
  );
  return sortConversations([...still, ...items.filter(({ id }) => !ids.has(id))], filter);
}

function sortConversations(all: readonly InboxConversation[], filter: InboxFilter): InboxConversation[] {
  const byId = new Map<string, InboxConversation>();
  for (const one of all) if (!byId.has(one.id)) byId.set(one.id, one);
  const time = (one: InboxConversation) => Date.parse(getOrderTime(one, filter));
  const sign = filter.order.descending ? -1 : 1;
  return [...byId.values()].sort((a, b) => sign * (time(a) - time(b)));
}

function getOrderTime(one: InboxConversation | undefined, { order }: InboxFilter): string {
  return one?.[order.field] ?? one?.lastMessageAt ?? '';
}

function comesBefore(time: string, reached: string, { order }: InboxFilter): boolean {
  return order.descending ? time >= reached : time <= reached;
}
