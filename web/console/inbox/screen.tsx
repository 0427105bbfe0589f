import { useState } from 'preact/hooks';
import { lazy } from '../lazy.tsx';
import type { ScreenProps } from '../screen.ts';
import { Empty } from '../parts/notices.tsx';
import { formatHref } from '../route.ts';
import { TEXTS } from '../texts.ts';
import { FILTERS } from './filters.ts';
import { FirstTasks } from './first-tasks.tsx';
import { SearchResults, ConversationList } from './lists.tsx';

/** Fetched when one is looked at: the lists are there sooner. */
const ConversationView = lazy(async () => (await import('./conversation-view.tsx')).ConversationView);

/** At the end of a conversation's address: its chat page is shown beside it. */
const BESIDE = 'beside';

/** The inbox: lists of conversations on one side, the chosen one beside. */
export function InboxScreen({ session, place: [name = 'queued', id, part] }: ScreenProps) {
  const [words, setWords] = useState('');
  const [category, setCategory] = useState('');
  const list = FILTERS.find((one) => one.name === name) ?? FILTERS[0];
  const isBeside = part === BESIDE;
  return (
    <div class={getLayoutClass(id, isBeside)}>
      <section class="lists" aria-label={TEXTS.inbox.lists}>
        <nav class="tabs" aria-label={TEXTS.inbox.lists}>
          {FILTERS.map((one) => (
            <a
              key={one.name}
              href={formatHref('inbox', one.name)}
              aria-current={one === list ? 'true' : undefined}
            >
              {one.title}
            </a>
          ))}
        </nav>
        <input
          type="search"
          aria-label={TEXTS.inbox.search}
          placeholder={TEXTS.inbox.search}
          value={words}
          onInput={({ currentTarget }) => setWords(currentTarget.value)}
        />
        {words.trim() === '' ? (
          <ConversationList
            list={list}
            category={category}
            choose={setCategory}
            user={session.user}
            chosen={id}
          />
        ) : (
          <SearchResults words={words.trim()} list={list.name} user={session.user} chosen={id} />
        )}
      </section>
      {id === undefined ? (
        <div class="nothing-chosen">
          <FirstTasks session={session} />
          <Empty>{TEXTS.inbox.choose}</Empty>
        </div>
      ) : (
        <ConversationView key={id} id={id} session={session} list={list.name} isBeside={isBeside} />
      )}
    </div>
  );
}

function getLayoutClass(id: string | undefined, isBeside: boolean): string {
  return ['inbox', ...(id === undefined ? [] : ['chosen']), ...(isBeside ? ['with-page'] : [])].join(' ');
}
