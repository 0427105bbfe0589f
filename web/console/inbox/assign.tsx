import { useState } from 'preact/hooks';
import { visibleName } from '../../components/shown-text.ts';
import { Avatar } from '../parts/avatar.tsx';
import { Empty, Pending, Problem } from '../parts/notices.tsx';
import type { Session } from '../session.ts';
import { TEXTS } from '../texts.ts';
import { useAction } from '../use-action.ts';
import { useQuery } from '../use-query.ts';

export interface Colleague {
  id: string;
  name: string;
  avatar?: string;
  status: string;
}

const MANY = 6;

interface AssignProps {
  session: Session;
  organization: string;
  assign: (user: string) => Promise<unknown>;
}

export function AssignForm({ session, organization, assign }: AssignProps) {
  const words = TEXTS.inbox;
  const query = useColleagues(session, organization);
  const [typed, setTyped] = useState('');
  const { isRunning, error, run } = useAction();
  if (!query.value) return <Pending query={query} />;
  const wanted = typed.trim().toLowerCase();
  const people = sortPeople(query.value, session.user);
  const shown = people.filter(({ name }) => name.toLowerCase().includes(wanted));
  return (
    <>
      {people.length > MANY ? (
        <input
          type="search"
          aria-label={words.findColleague}
          placeholder={words.findColleague}
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      ) : null}
      {shown.length === 0 ? <Empty>{words.noColleague}</Empty> : null}
      <ul class="assignees">
        {shown.map((one) => (
          <li key={one.id}>
            <button
              type="button"
              class="quiet"
              disabled={isRunning}
              onClick={() => void run(() => assign(one.id))}
            >
              <Avatar name={one.name} url={one.avatar} />
              <span class="name">{one.id === session.user ? words.me : visibleName(one)}</span>
              <span class={`presence ${one.status}`}>{words.userStatuses[one.status]}</span>
            </button>
          </li>
        ))}
      </ul>
      <Problem error={error} />
    </>
  );
}

/** The people of the conversation's organization, or of the caller's (spec 4.8). */
export function useColleagues(session: Session, organization: string, isWanted = true) {
  const isOwn = organization === session.organization.id;
  const isBelow = !isOwn && session.scope !== 'agent';
  const own = useQuery(isWanted && !isBelow ? 'GET /users/colleagues' : null, {
    query: { limit: 1000, sort: 'name' },
  });
  const below = useQuery(isWanted && isBelow ? 'GET /users' : null, {
    query: {
      organization: `[${organization},${session.organization.id}]`,
      role: '[agent,admin]',
      limit: 1000,
    },
  });
  return (isBelow ? below : own) as {
    value: Colleague[] | undefined;
    error: Error | undefined;
    again: () => void;
  };
}

const ORDER = ['online', 'away', 'offline'];

/** The caller first, then who is online. */
function sortPeople(people: readonly Colleague[], me: string): Colleague[] {
  const rank = ({ id, status }: Colleague) => (id === me ? -1 : ORDER.indexOf(status));
  return [...people].sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
}
