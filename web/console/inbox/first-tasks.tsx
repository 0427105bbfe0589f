import { NEWCOMER } from '../newcomer.tsx';
import { Button } from '../parts/button.tsx';
import { formatHref, formatHrefWith } from '../route.ts';
import type { Session } from '../session.ts';
import { TASK_WORDS } from '../records/texts.ts';
import { TEXTS } from '../texts.ts';
import { useDismissed } from '../use-action.ts';
import { useQuery } from '../use-query.ts';

/** Records that the first start creates (spec 12.4) do not complete tasks. */
const MADE_BY_ITSELF = {
  agent: NEWCOMER,
  bot: 'echo-bot@parlance.local',
  webhook: 'echo bot',
};

/** The first tasks of an admin, until they are done or put away (spec 12.5). */
export function FirstTasks({ session }: { session: Session }) {
  const [isDismissed, dismiss] = useDismissed('first-tasks');
  const tasks = useOpenTasks(session, !isDismissed);
  if (tasks.length === 0) return null;
  return (
    <section class="first-tasks" aria-label={TASK_WORDS.title}>
      <header>
        <h2>{TASK_WORDS.title}</h2>
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
  const { name, agent, widget, bot, webhook } = TASK_WORDS;
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
