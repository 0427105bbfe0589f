import { Users, X } from 'lucide';
import { useState } from 'preact/hooks';
import { stripDirection, visibleName } from '../../components/shown-text.ts';
import { Avatar } from '../parts/avatar.tsx';
import { Icon } from '../parts/icon.tsx';
import { Empty, Pending, Problem } from '../parts/notices.tsx';
import type { Session } from '../session.ts';
import { INBOX_WORDS } from './texts.ts';
import { useAction } from '../use-action.ts';
import { useQuery } from '../use-query.ts';
import { useTeams } from './teams.tsx';
import type { Team } from './teams.tsx';

export interface Colleague {
  id: string;
  name: string;
  avatar?: string;
  status: string;
}

const MANY = 6;

/** The meta of `/assign` (spec 6.5). */
export type Assignment = { users: string[] } | { team: string | null };

interface AssignProps {
  session: Session;
  organization: string;
  /** The team of the conversation. */
  team?: string | undefined;
  assign: (assignment: Assignment) => Promise<unknown>;
}

export function AssignForm({ session, organization, team, assign }: AssignProps) {
  const words = INBOX_WORDS;
  const query = useColleagues(session, organization);
  const { teams } = useTeams();
  const [typed, setTyped] = useState('');
  const { isRunning, error, run } = useAction();
  if (!query.value) return <Pending query={query} />;
  const wanted = typed.trim().toLowerCase();
  const people = sortPeople(query.value, session.user);
  const shown = people.filter(({ name }) => name.toLowerCase().includes(wanted));
  const offered = teams.filter((one) => one.organization === organization);
  const shownTeams = offered.filter(({ name }) => name.toLowerCase().includes(wanted));
  const choose = (assignment: Assignment) => void run(() => assign(assignment));
  return (
    <>
      {people.length + offered.length > MANY ? (
        <input
          type="search"
          aria-label={words.findColleague}
          placeholder={words.findColleague}
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      ) : null}
      {shown.length + shownTeams.length === 0 ? <Empty>{words.noColleague}</Empty> : null}
      <ul class="assignees">
        {shown.map((one) => (
          <li key={one.id}>
            <button
              type="button"
              class="quiet"
              disabled={isRunning}
              onClick={() => choose({ users: [one.id] })}
            >
              <Avatar name={one.name} url={one.avatar} />
              <span class="name">{one.id === session.user ? words.me : visibleName(one)}</span>
              <span class={`presence ${one.status}`}>{words.userStatuses[one.status]}</span>
            </button>
          </li>
        ))}
      </ul>
      <TeamChoice teams={shownTeams} team={team} isRunning={isRunning} choose={choose} />
      <Problem error={error} />
    </>
  );
}

interface TeamChoiceProps extends Pick<AssignProps, 'team'> {
  teams: readonly Team[];
  isRunning: boolean;
  choose: (assignment: Assignment) => void;
}

function TeamChoice({ teams, team, isRunning, choose }: TeamChoiceProps) {
  const words = INBOX_WORDS;
  if (teams.length === 0 && team === undefined) return null;
  return (
    <>
      <h3 class="assignees-title">{words.teams}</h3>
      <ul class="assignees">
        {teams.map(({ id, name, online }) => (
          <li key={id}>
            <button type="button" class="quiet" disabled={isRunning} onClick={() => choose({ team: id })}>
              <Icon icon={Users} />
              <span class="name">{stripDirection(name)}</span>
              <span class={online > 0 ? 'presence online' : 'presence offline'}>{words.online(online)}</span>
            </button>
          </li>
        ))}
        {team === undefined ? null : (
          <li>
            <button type="button" class="quiet" disabled={isRunning} onClick={() => choose({ team: null })}>
              <Icon icon={X} />
              <span class="name">{words.noTeam}</span>
            </button>
          </li>
        )}
      </ul>
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
