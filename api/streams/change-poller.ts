import type { Logger } from 'pino';
import { repeatingTask } from '../../platform/concurrency/repeating-task.ts';
import { findChangedSince } from '../../store/conversations/stream.ts';
import type { ChangedConversation } from '../../store/conversations/stream.ts';
import { organizationsWithin } from '../../store/queries/reach.ts';
import { storeDate } from '../../store/cluster/clock.ts';

const POLL_MS = 1_000;
const PAGE = 500;
/** `updatedAt` is set before a write becomes visible, so a write may appear after a later one. */
const SEEN_LATE_MS = 3_000;

export type ChangeWatcher = (changed: readonly ChangedConversation[]) => void;

/** Polls with one small query per streamed organization. */
export interface ChangePoller {
  /** Returns a function that unsubscribes. */
  watch: (organization: string, watcher: ChangeWatcher) => () => void;
}

interface Watched {
  watchers: Set<ChangeWatcher>;
  until: Date;
  /** Versions already published. */
  sentVersions: Map<string, number>;
}

export function createChangePoller(log: Pick<Logger, 'warn'>): ChangePoller {
  const organizations = new Map<string, Watched>();

  const polling = repeatingTask(
    async () => {
      for (const [organization, watched] of organizations) await pollChanges(organization, watched);
    },
    {
      everyMs: POLL_MS,
      isWanted: () => organizations.size > 0,
      // Requests report a failing store.
      onError: (error) => log.warn({ err: error }, 'failed to poll changed conversations for streams'),
    },
  );

  return {
    watch(organization, watcher) {
      const watched = organizations.get(organization) ?? createWatched();
      organizations.set(organization, watched);
      watched.watchers.add(watcher);
      polling.start();
      return () => {
        watched.watchers.delete(watcher);
        if (watched.watchers.size === 0 && organizations.get(organization) === watched)
          organizations.delete(organization);
      };
    },
  };
}

function createWatched(): Watched {
  return { watchers: new Set(), until: storeDate(), sentVersions: new Map() };
}

async function pollChanges(organization: string, watched: Watched): Promise<void> {
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
