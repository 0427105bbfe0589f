import type { Logger } from 'pino';
import { repeatingTask } from '../../platform/concurrency/repeating-task.ts';
import { storeDate } from '../../store/cluster/clock.ts';
import { findChangedSince, findHeadsWithPresence } from '../../store/conversations/stream.ts';
import type { ChangedConversation, ConversationHead } from '../../store/conversations/stream.ts';
import { organizationsWithin } from '../../store/queries/reach.ts';

type Log = Pick<Logger, 'warn'>;

interface Watched<T> {
  watchers: Set<(news: T) => void>;
}

/** Returns a function that unsubscribes. */
type Watch<T> = (key: string, watcher: (news: T) => void) => () => void;

interface PollerOptions<W> {
  create: () => W;
  poll: (watched: ReadonlyMap<string, W>) => Promise<void>;
  everyMs: number;
  onError: (error: unknown) => void;
}

function createPoller<T, W extends Watched<T>>({ create, poll, ...options }: PollerOptions<W>): Watch<T> {
  const watched = new Map<string, W>();
  const polling = repeatingTask(() => poll(watched), { ...options, isWanted: () => watched.size > 0 });
  return (key, watcher) => {
    const one = watched.get(key) ?? create();
    watched.set(key, one);
    one.watchers.add(watcher);
    polling.start();
    return () => {
      one.watchers.delete(watcher);
      if (one.watchers.size === 0 && watched.get(key) === one) watched.delete(key);
    };
  };
}

const HEAD_POLL_MS = 200;

/** Calls back after each poll, with null for a deleted conversation. */
export function createHeadPoller(log: Log, find = findHeadsWithPresence): Watch<ConversationHead | null> {
  return createPoller<ConversationHead | null, Watched<ConversationHead | null>>({
    create: () => ({ watchers: new Set() }),
    async poll(watched) {
      const ids = [...watched.keys()];
      const heads = new Map((await find(ids)).map((head) => [head.id, head]));
      for (const id of ids) watched.get(id)?.watchers.forEach((watcher) => watcher(heads.get(id) ?? null));
    },
    everyMs: HEAD_POLL_MS,
    // A warning suffices: requests fail with an error while the store is down.
    onError: (error) => log.warn({ err: error }, 'failed to poll conversations for streams'),
  });
}

const CHANGE_POLL_MS = 1_000;
const PAGE = 500;
/** `updatedAt` is set before a write becomes visible, so writes may appear out of order. */
const SEEN_LATE_MS = 3_000;

interface WatchedOrganization extends Watched<readonly ChangedConversation[]> {
  until: Date;
  /** Versions that the last poll found, by conversation. */
  sentVersions: Map<string, number>;
}

export function createChangePoller(log: Log): Watch<readonly ChangedConversation[]> {
  return createPoller<readonly ChangedConversation[], WatchedOrganization>({
    create: () => ({ watchers: new Set(), until: storeDate(), sentVersions: new Map() }),
    async poll(organizations) {
      for (const [organization, watched] of organizations) await pollChanges(organization, watched);
    },
    everyMs: CHANGE_POLL_MS,
    onError: (error) => log.warn({ err: error }, 'failed to poll changed conversations for streams'),
  });
}

async function pollChanges(organization: string, watched: WatchedOrganization): Promise<void> {
  const within = await organizationsWithin({ organization });
  const seen = new Map<string, number>();
  let since = new Date(watched.until.getTime() - SEEN_LATE_MS);
  for (;;) {
    const found = await findChangedSince(within, { since, limit: PAGE });
    const news = found.filter(({ id, version }) => !seen.has(id) && watched.sentVersions.get(id) !== version);
    found.forEach(({ id, version }) => seen.set(id, version));
    if (news.length > 0) watched.watchers.forEach((watcher) => watcher(news));
    const last = found.at(-1)?.updatedAt;
    if (last && last > watched.until) watched.until = last;
    // A full page within one millisecond would repeat forever.
    if (found.length < PAGE || !last || last <= since) break;
    since = last;
  }
  watched.sentVersions = seen;
}
