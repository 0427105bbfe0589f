import type { OwnedTimer } from './sentence.ts';
import type { StoredRecord } from '../records/kinds.ts';
import { useQuery } from '../use-query.ts';
import { WORDS } from './texts.ts';

interface Named {
  id: string;
  name: string;
}

/** Records that the timers of an organization refer to, if the signed-in user may see them. */
export interface Surroundings {
  organization: string;
  categories: readonly string[];
  bots: readonly Named[];
  /** Event types of the organization and of those above it. */
  types: readonly Named[];
  inheritedNames: readonly string[];
  isLoaded: boolean;
  seesAll: boolean;
  getBotName: (user: string) => string;
  getOrigin: (organization: string) => string;
  loadTypes: () => void;
}

const LIMIT = 1000;

export function useSurroundings(record: StoredRecord, timers: readonly OwnedTimer[]): Surroundings {
  const path = String(record['path']).split('#');
  const along = `[${path.join(',')}]`;
  const shape = { select: 'name', sort: 'name', limit: LIMIT };
  const organizations = useQuery('GET /organizations', { query: { ...shape, id: along } });
  const bots = useQuery('GET /users', { query: { ...shape, role: 'bot', organization: along } });
  const types = useQuery('GET /eventtypes', { query: { ...shape, organization: along } });
  const names = new Map(organizations.value?.map(({ id, name }) => [id, name]));
  const botNames = new Map(bots.value?.map(({ id, name }) => [id, name]));
  return {
    organization: record.id,
    categories: ((record['categories'] ?? []) as { name: string }[]).map(({ name }) => name),
    bots: bots.value ?? [],
    types: types.value ?? [],
    inheritedNames: timers.flatMap(({ organization, name }) => (organization === record.id ? [] : name)),
    isLoaded: [organizations, bots, types].every(({ value }) => value !== undefined),
    seesAll: names.has(path[0] ?? ''),
    getBotName: (user) => botNames.get(user) ?? WORDS.unseenBot,
    getOrigin: (organization) => names.get(organization) ?? WORDS.above,
    loadTypes: types.again,
  };
}
