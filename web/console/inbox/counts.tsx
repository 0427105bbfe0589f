import { createContext } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { goTo } from '../route.ts';
import { client } from '../session.ts';
import type { Session } from '../session.ts';
import { INBOX_WORDS } from './texts.ts';
import { useChanges, useOneAtATime } from './changes.tsx';
import { LIST_SHAPE, describeLastMessage, getTitle } from './conversation.ts';
import type { InboxConversation } from './conversation.ts';
import type { InboxFilter } from './filters.ts';
import { useTeams } from './teams.tsx';

/** Number of conversations by the name of a list. */
export type Counts = Readonly<Record<string, number>>;

export const CountsContext = createContext<Counts>({});

const COUNTED = ['queued', 'mine', 'teams', 'unread'];
/** Lists whose conversations are new to the user. */
const NEWS = ['queued', 'unread'];
const NEWEST = 5;
/** Least time between two rounds. A round is a request for each list. */
const PAUSE_MS = 3_000;

/** Counts the lists, and alerts the user of what is new in them. */
export function useCounts({ user, scope }: Session): Counts {
  const [counts, setCounts] = useState<Counts>({});
  const { lists } = useTeams();
  // A round that was requested during another round may begin with an older render.
  const all = useRef(lists);
  all.current = lists;
  const seen = useRef<Map<string, string>>(undefined);
  const load = useOneAtATime(async () => {
    if (scope === 'guest') return;
    try {
      const counted = all.current.filter(({ name }) => COUNTED.includes(name));
      const rounds = await Promise.all(counted.map((one) => countList(one, user)));
      const next = Object.fromEntries(rounds.map(({ name, count }) => [name, count]));
      setCounts((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next));
      const newest = rounds.filter(({ name }) => NEWS.includes(name)).flatMap((one) => one.newest);
      announceNew(newest, seen.current);
      seen.current = new Map(newest.map(({ id, lastMessageAt }) => [id, lastMessageAt]));
    } catch {
      // The next change counts again.
    }
  }, PAUSE_MS);
  useChanges(load);
  useEffect(load, [lists]);
  useEffect(() => {
    document.addEventListener('visibilitychange', load);
    return () => document.removeEventListener('visibilitychange', load);
  }, []);
  return counts;
}

async function countList({ name, query }: InboxFilter, user: string) {
  const { headers, body } = await client.callWithResponse('GET /conversations', {
    query: { ...LIST_SHAPE, ...query(user), sort: '-lastMessageAt', limit: NEWEST },
  });
  const newest: readonly InboxConversation[] = body;
  return { name, count: Number(headers.get('X-Total')), newest };
}

/** Alerts of one conversation at most: a sound for each of many would be noise. */
function announceNew(newest: readonly InboxConversation[], seen: Map<string, string> | undefined): void {
  const isNew = ({ id, lastMessageAt }: InboxConversation) => {
    const before = seen?.get(id);
    return before === undefined ? lastMessageAt > latestOf(seen) : lastMessageAt > before;
  };
  const found = seen && newest.find(isNew);
  if (!found) return;
  const isOpen = !document.hidden && location.hash.includes(found.id);
  if (isOpen) return;
  const news = {
    title: getTitle(found),
    text: describeLastMessage(found) || INBOX_WORDS.isWaiting,
    about: found.id,
    open: () => goTo('inbox', 'all', found.id),
  };
  void import('../../page/alerts.ts').then(
    ({ showAlert }) => showAlert(news),
    () => undefined,
  );
}

function latestOf(seen: Map<string, string> | undefined): string {
  return [...(seen?.values() ?? [])].reduce((last, at) => (at > last ? at : last), '');
}
