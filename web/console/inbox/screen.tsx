import { useState } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { lazy } from '../lazy.tsx';
import type { ScreenProps } from '../route.ts';
import { Empty } from '../parts/notices.tsx';
import { formatHref } from '../route.ts';
import { TEXTS } from '../texts.ts';
import { FILTERS } from './filters.ts';
import { SearchResults, ConversationList } from './lists.tsx';
import { NEWCOMER } from '../newcomer.tsx';
import type { Session } from '../session.ts';
import { useQuery } from '../use-query.ts';
import { useDismissed } from '../use-action.ts';

const ConversationView = lazy(() => import('./conversation-view.tsx'), 'ConversationView');

/** Path segment that opens the chat page beside the conversation. */
const BESIDE = 'beside';

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
          <SearchResults words={words.trim()} list={list} user={session.user} chosen={id} />
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

function useOpenTasks({ organization }: Session, isWanted: boolean): { word: string; href: string }[] {
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
  if (!agents || !bots || !webhooks || !own) return [];
  const { agent, widget, bot, webhook } = TEXTS.tasks;
  const team = formatHref('team');
  const settings = formatHref('settings', 'organizations', organization.id);
  const tasks = [
    { word: agent, href: team, isOpen: agents.length === 0 },
    { word: widget, href: settings, isOpen: !own.meta['widget'] },
    { word: bot, href: team, isOpen: bots.length === 0 },
    { word: webhook, href: formatHref('webhooks'), isOpen: webhooks.length === 0 },
  ];
  return tasks.filter(({ isOpen }) => isOpen);
}
