import { ListChecks, ListFilter } from 'lucide';
import { useMemo, useState } from 'preact/hooks';
import { lazy } from '../lazy.tsx';
import { Empty } from '../parts/notices.tsx';
import { Icon } from '../parts/icon.tsx';
import { formatHrefWith, pushRoute, replaceRoute, useRouteQuery } from '../route.ts';
import type { ScreenProps } from '../route.ts';
import { INBOX_WORDS } from './texts.ts';
import { useEdited } from '../use-edited.ts';
import { ConversationView } from './conversation-part.tsx';
import { readCriteria } from './filters.ts';
import type { Criteria } from './filters.ts';
import { Count } from '../parts/count.tsx';
import { ListTabs } from './list-tabs.tsx';
import { ConversationList } from './lists.tsx';
import { findList, useTeams } from './teams.tsx';
import { useViews } from './views.ts';

const FilterBar = lazy(() => import('./filter-bar.tsx'), 'FilterBar', <></>);
const FirstTasks = lazy(() => import('./first-tasks.tsx'), 'FirstTasks', <></>);
const SearchResults = lazy(() => import('./search-results.tsx'), 'SearchResults');
const ViewList = lazy(() => import('./view-list.tsx'), 'ViewList', <></>);

/** Path segment that opens the chat page beside the conversation. */
const BESIDE = 'beside';

export function InboxScreen({ session, place: [name = 'queued', id, part] }: ScreenProps) {
  const query = useRouteQuery();
  const list = findList(useTeams().lists, name);
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
      <section class="lists" aria-label={INBOX_WORDS.lists}>
        <ListTabs list={list} criteria={criteria} />
        {saved.views?.length ? <ViewList saved={saved} list={list} criteria={criteria} /> : null}
        <div class="find">
          <input
            type="search"
            aria-label={INBOX_WORDS.search}
            placeholder={INBOX_WORDS.search}
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
          {session.scope === 'admin' ? <FirstTasks session={session} /> : null}
          <Empty>{INBOX_WORDS.choose}</Empty>
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

function FilterButton({ set, isOpen, toggle }: { set: number; isOpen: boolean; toggle: () => void }) {
  const words = INBOX_WORDS;
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
      title={INBOX_WORDS.selectMany}
      aria-label={INBOX_WORDS.selectMany}
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
