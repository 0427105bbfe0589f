import type { AnswerTo } from '@parlance/client';
import { createContext } from 'preact';
import type { ComponentChildren } from 'preact';
import { useContext, useMemo } from 'preact/hooks';
import type { Session } from '../session.ts';
import { INBOX_WORDS } from './texts.ts';
import { useQuery } from '../use-query.ts';
import { FILTERS, buildTeamFilter } from './filters.ts';
import type { InboxFilter } from './filters.ts';

/** See spec 4.11. */
export type Team = AnswerTo<'GET /channels/teams'>[number];

interface Teams {
  /** By name. */
  teams: readonly Team[];
  /** Returns a general word for a team that was deleted or is out of reach. */
  nameTeam: (id: string) => string;
  /** The lists of the inbox, with the list of the user's teams after the list of the user. */
  lists: readonly InboxFilter[];
}

const NONE: Teams = { teams: [], nameTeam: () => INBOX_WORDS.someTeam, lists: FILTERS };

const TeamsContext = createContext(NONE);

export const useTeams = () => useContext(TeamsContext);

const LOOK_MS = 60_000;

/** Loads the teams once for all lists, rows and forms of the page. */
export function TeamsProvider({ session, children }: { session: Session; children: ComponentChildren }) {
  const query = useQuery(session.scope === 'guest' ? null : 'GET /channels/teams', {
    query: { sort: 'name', limit: 1000 },
    everyMs: LOOK_MS,
  });
  const known = JSON.stringify(query.value ?? []);
  const teams = useMemo(() => JSON.parse(known) as Team[], [known]);
  const mine = teams.flatMap(({ id, isMember }) => (isMember ? [id] : [])).join();
  const lists = useMemo(() => addTeamList(mine === '' ? [] : mine.split(',')), [mine]);
  const value = useMemo(() => {
    const names = new Map(teams.map(({ id, name }) => [id, name]));
    return { teams, nameTeam: (id: string) => names.get(id) ?? INBOX_WORDS.someTeam, lists };
  }, [teams, lists]);
  return <TeamsContext.Provider value={value}>{children}</TeamsContext.Provider>;
}

function addTeamList(mine: readonly string[]): readonly InboxFilter[] {
  if (mine.length === 0) return FILTERS;
  const at = FILTERS.findIndex(({ name }) => name === 'mine') + 1;
  return [...FILTERS.slice(0, at), buildTeamFilter(mine), ...FILTERS.slice(at)];
}

/** Returns the list of this name. _My teams_ disappears with the last team of the user. */
export function findList(lists: readonly InboxFilter[], name: string | undefined): InboxFilter {
  return lists.find((one) => one.name === name) ?? (name === 'teams' ? NO_TEAMS : FILTERS[0]);
}

const NO_TEAMS = buildTeamFilter([]);
