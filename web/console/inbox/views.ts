import { toMergePatch } from '../parts/written-json.ts';
import { client } from '../session.ts';
import { useQuery } from '../use-query.ts';
import { readCriteria } from './filters.ts';
import type { Criteria, InboxFilter } from './filters.ts';
import { findList, useTeams } from './teams.tsx';

/** More views with long names would not fit into the settings of a user (spec 2.9). */
export const MAX_VIEWS = 30;
export const MAX_VIEW_NAME = 60;

/** A list and its criteria under a name of the user. */
export interface View {
  id: string;
  name: string;
  list: InboxFilter;
  criteria: Criteria;
}

export interface Views {
  /** By name. Undefined until they are loaded. */
  views: readonly View[] | undefined;
  /** Replaces the view of this name. */
  save: (view: Omit<View, 'id'>) => Promise<void>;
  rename: (view: View, name: string) => Promise<void>;
  remove: (view: View) => Promise<void>;
}

/** The views are in the settings of the user, and so on each device. */
export function useViews(): Views {
  const { value: me, replace } = useQuery('GET /users/me');
  const { lists } = useTeams();
  const views = me && readViews(me.settings, lists);
  const change = async (changes: Record<string, object | null>) => {
    const patch = toMergePatch({ settings: { console: { views: changes } } });
    replace(await client.call('PATCH /users/{id}', { path: { id: 'me' }, ...patch }));
  };
  return {
    views,
    save: ({ name, list, criteria }) => {
      const id = findByName(views, name)?.id ?? crypto.randomUUID().slice(0, 8);
      // A merge keeps the criteria of the replaced view unless they are null.
      const before = views?.find((one) => one.id === id)?.criteria ?? {};
      const cleared = Object.fromEntries(Object.keys(before).map((criterion) => [criterion, null]));
      return change({ [id]: { ...cleared, ...criteria, name, list: list.name } });
    },
    rename: ({ id }, name) => change({ [id]: { name } }),
    remove: ({ id }) => change({ [id]: null }),
  };
}

export function findByName(views: readonly View[] | undefined, name: string): View | undefined {
  return views?.find((one) => one.name.toLowerCase() === name.trim().toLowerCase());
}

/** Ignores other values, because any program may write the settings. */
function readViews(settings: unknown, lists: readonly InboxFilter[]): View[] {
  const all = Object.entries(asObject(asObject(asObject(settings)['console'])['views']));
  const views = all.flatMap(([id, value]) => {
    const { name, list: listName, ...criteria } = asObject(value);
    const list = findList(lists, typeof listName === 'string' ? listName : undefined);
    return typeof name === 'string' && list.name === listName
      ? [{ id, name, list, criteria: readCriteria(criteria, list) }]
      : [];
  });
  return views.sort((a, b) => a.name.localeCompare(b.name));
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
