import { ListChecks, ListFilter } from 'lucide';
import { useContext, useMemo, useState } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { lazy } from '../lazy.tsx';
import { Empty } from '../parts/notices.tsx';
import { Icon } from '../parts/icon.tsx';
import { formatHref, formatHrefWith, pushRoute, replaceRoute, useRouteQuery } from '../route.ts';
import type { ScreenProps } from '../route.ts';
import { TEXTS } from '../texts.ts';
import { useEdited } from '../use-edited.ts';
import { CountsContext } from './counts.tsx';
import { FILTERS, readCriteria } from './filters.ts';
import type { Criteria, InboxFilter } from './filters.ts';
import { Count } from '../parts/count.tsx';
import { ConversationList } from './lists.tsx';
import { NEWCOMER } from '../newcomer.tsx';
import type { Session } from '../session.ts';
import { useQuery } from '../use-query.ts';
import { useDismissed } from '../use-action.ts';
import { useViews } from './views.ts';

const FilterBar = lazy(() => import('./filter-bar.tsx'), 'FilterBar', <></>);
const SearchResults = lazy(() => import('./search-results.tsx'), 'SearchResults');
const ViewList = lazy(() => import('./view-list.tsx'), 'ViewList', <></>);
const ConversationView = lazy(() => import('./conversation-view.tsx'), 'ConversationView');

/** Path segment that opens the chat page beside the conversation. */
const BESIDE = 'beside';

export function InboxScreen({ session, place: [name = 'queued', id, part] }: ScreenProps) {
  const query = useRouteQuery();
  const list = FILTERS.find((one) => one.name === name) ?? FILTERS[0];
  const criteria = useMemo(() => readCriteria(query, list), [query, list]);
  // The words of the search are in the address when the field is left.
  const [words, setWords] = useEdited(query['q'] ?? '');
  const [isOpen, setOpen] = useState(false);
  const [isPicking, setPicking] = useState(false);
  const saved = useViews();
  const isBeside = part === BESIDE;
  const set = Object.keys(criteria).length;
  const address = (chosen?: string, message?: string) => {
    const given = { ...criteria, q: words.trim(), ...(message === undefined ? {} : { message }) };
    return formatHrefWith(given, 'inbox', list.name, ...(chosen ? [chosen] : []));
  };
  const apply = (next: Criteria) => {
    pushRoute(formatHrefWith({ ...next, q: words.trim() }, 'inbox', list.name, ...(id ? [id] : [])));
  };
  const rows = { session, list, criteria, chosen: id, isPicking, address };
  return (
    <div class={getLayoutClass(id, isBeside)}>
      <section class="lists" aria-label={TEXTS.inbox.lists}>
        <ListTabs list={list} criteria={criteria} />
        {saved.views?.length ? <ViewList saved={saved} list={list} criteria={criteria} /> : null}
        <div class="find">
          <input
            type="search"
            aria-label={TEXTS.inbox.search}
            placeholder={TEXTS.inbox.search}
            value={words}
            onInput={({ currentTarget }) => setWords(currentTarget.value)}
            onChange={() => replaceRoute(address(id))}
          />
          <FilterButton set={set} isOpen={isOpen} toggle={() => setOpen(!isOpen)} />
          <PickButton isPicking={isPicking} toggle={() => setPicking(!isPicking)} />
        </div>
        {isOpen || set > 0 ? <FilterBar {...{ session, list, criteria, apply, isOpen, saved }} /> : null}
        {words.trim() === '' ? (
          <ConversationList {...rows} />
        ) : (
          <SearchResults {...rows} words={words.trim()} />
        )}
      </section>
      {id === undefined ? (
        <div class="nothing-chosen">
          <FirstTasks session={session} />
          <Empty>{TEXTS.inbox.choose}</Empty>
        </div>
      ) : (
        <ConversationView
          key={id}
          id={id}
          session={session}
          back={address()}
          isBeside={isBeside}
          anchor={query['message']}
        />
      )}
    </div>
  );
}

/** Each list keeps the criteria that it can be narrowed by. */
function ListTabs({ list, criteria }: { list: InboxFilter; criteria: Criteria }) {
  const counts = useContext(CountsContext);
  return (
    <nav class="tabs" aria-label={TEXTS.inbox.lists}>
      {FILTERS.map((one) => (
        <a
          key={one.name}
          href={formatHrefWith(readCriteria(criteria, one), 'inbox', one.name)}
          aria-current={one === list ? 'true' : undefined}
        >
          {one.title} <Count of={counts[one.name]} isCalm={one.name !== 'unread'} />
        </a>
      ))}
    </nav>
  );
}

function FilterButton({ set, isOpen, toggle }: { set: number; isOpen: boolean; toggle: () => void }) {
  const words = TEXTS.inbox;
  return (
    <button
      type="button"
      class={isOpen ? 'quiet tool open' : 'quiet tool'}
      title={words.filter}
      aria-label={set === 0 ? words.filter : words.filterBy(set)}
      aria-expanded={isOpen}
      onClick={toggle}
    >
      <Icon icon={ListFilter} />
      <Count of={set} />
    </button>
  );
}

function PickButton({ isPicking, toggle }: { isPicking: boolean; toggle: () => void }) {
  return (
    <button
      type="button"
      class={isPicking ? 'quiet tool open' : 'quiet tool'}
      title={TEXTS.inbox.selectMany}
      aria-label={TEXTS.inbox.selectMany}
      aria-pressed={isPicking}
      onClick={toggle}
    >
      <Icon icon={ListChecks} />
    </button>
  );
}

function getLayoutClass(id: string | undefined, isBeside: boolean): string {
  return ['inbox', ...(id === undefined ? [] : ['chosen']), ...(isBeside ? ['with-page'] : [])].join(' ');
}

/** Records that the first start creates (spec 12.4) do not complete tasks. */
const MADE_BY_ITSELF = {
  agent: NEWCOMER,
  bot: 'echo-bot@parlance.local',
  webhook: 'echo bot',
};

function FirstTasks({ session }: { session: Session }) {
  const [isDismissed, dismiss] = useDismissed('first-tasks');
  const tasks = useOpenTasks(session, !isDismissed && session.scope === 'admin');
  if (tasks.length === 0) return null;
  return (
    <section class="first-tasks" aria-label={TEXTS.tasks.title}>
      <header>
        <h2>{TEXTS.tasks.title}</h2>
        <Button word="✕" class="quiet" aria-label={TEXTS.close} press={dismiss} />
      </header>
      <ul>
        {tasks.map(({ word, href }) => (
          <li key={word}>
            <a href={href}>{word}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function useOpenTasks({ organization, user }: Session, isWanted: boolean): { word: string; href: string }[] {
  const useUsers = (role: 'agent' | 'bot') => {
    const query = { role, email: `!=${MADE_BY_ITSELF[role]}`, limit: 1, select: 'role' };
    return useQuery(isWanted ? 'GET /users' : null, { query }).value;
  };
  const [agents, bots] = [useUsers('agent'), useUsers('bot')];
  const { value: webhooks } = useQuery(isWanted ? 'GET /services' : null, {
    query: { name: `!=${MADE_BY_ITSELF.webhook}`, limit: 1, select: 'name' },
  });
  const { value: own } = useQuery(isWanted ? 'GET /organizations/{id}' : null, {
    path: { id: organization.id },
  });
  const { value: me } = useQuery(isWanted ? 'GET /users/me' : null);
  if (!agents || !bots || !webhooks || !own || !me) return [];
  const { name, agent, widget, bot, webhook } = TEXTS.tasks;
  const add = (role: string) => formatHrefWith({ new: role, organization: organization.id }, 'team');
  const settings = formatHrefWith({ part: 'widget' }, 'settings', 'organizations', organization.id);
  const tasks = [
    { word: name, href: formatHref('team', user), isOpen: !me.givenName && !me.familyName },
    { word: agent, href: add('agent'), isOpen: agents.length === 0 },
    { word: widget, href: settings, isOpen: !own.meta['widget'] },
    { word: bot, href: add('bot'), isOpen: bots.length === 0 },
    {
      word: webhook,
      href: formatHrefWith({ organization: organization.id }, 'webhooks'),
      isOpen: webhooks.length === 0,
    },
  ];
  return tasks.filter(({ isOpen }) => isOpen);
}
