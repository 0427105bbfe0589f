import { NEWCOMER } from '../newcomer.tsx';
import { formatHref } from '../route.ts';
import type { Session } from '../session.ts';
import { TEXTS } from '../texts.ts';
import { buildQuery } from '../request.ts';
import { useQuery } from '../use-asked.ts';
import { useDismissed } from '../use-dismissed.ts';

/** Records of the first start do not count as done tasks. */
const MADE_BY_ITSELF = {
  agent: NEWCOMER,
  bot: 'echo-bot@parlance.local',
  webhook: 'echo bot',
};

interface Task {
  word: string;
  href: string;
}

/** The first tasks of an admin. A done task disappears; closing the list removes all of them. */
export function FirstTasks({ session }: { session: Session }) {
  const [isDismissed, dismiss] = useDismissed('first-tasks');
  const tasks = useOpenTasks(session, !isDismissed && session.scope === 'admin');
  if (tasks.length === 0) return null;
  return (
    <section class="first-tasks" aria-label={TEXTS.tasks.title}>
      <header>
        <h2>{TEXTS.tasks.title}</h2>
        <button type="button" class="quiet" aria-label={TEXTS.close} onClick={dismiss}>
          ✕
        </button>
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

/** Returns the tasks whose records are missing; none before the answers have arrived. */
function useOpenTasks({ organization }: Session, isWanted: boolean): Task[] {
  const ask = (path: string) => useQuery<unknown[]>(isWanted ? path : null).value;
  const users = (role: 'agent' | 'bot') =>
    ask(`/users${buildQuery({ role, email: `!=${MADE_BY_ITSELF[role]}`, limit: 1, select: 'role' })}`);
  const [agents, bots] = [users('agent'), users('bot')];
  const webhooks = ask(
    `/services${buildQuery({ name: `!=${MADE_BY_ITSELF.webhook}`, limit: 1, select: 'name' })}`,
  );
  const { value: own } = useQuery<{ meta?: { widget?: unknown } }>(
    isWanted ? `/organizations/${organization.id}` : null,
  );
  if (!agents || !bots || !webhooks || !own) return [];
  const { agent, widget, bot, webhook } = TEXTS.tasks;
  return [
    ...(agents.length > 0 ? [] : [{ word: agent, href: formatHref('team') }]),
    ...(own.meta?.widget
      ? []
      : [{ word: widget, href: formatHref('settings', 'organizations', organization.id) }]),
    ...(bots.length > 0 ? [] : [{ word: bot, href: formatHref('team') }]),
    ...(webhooks.length > 0 ? [] : [{ word: webhook, href: formatHref('webhooks') }]),
  ];
}
