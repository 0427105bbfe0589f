import type { ResourceName } from '../../domain/resources.ts';
import type { Product } from './product.ts';

/** A resource with a body that creates a record and a body that changes it. */
export interface RecordKind {
  path: string;
  /** A getter returns a new name at each access if names must be unique. */
  body: object;
  patch: object;
}

type Changeable = Exclude<ResourceName, 'deliveries' | 'events'>;

/** Returns every resource whose records can be created, changed and deleted (spec 4). */
export async function recordKinds({ admin, organization }: Product): Promise<RecordKind[]> {
  const { id: conversation } = (await admin.post('/conversations', {})).body;
  const params = { url: 'http://127.0.0.1:9/' };
  const kinds: Record<Changeable, Omit<RecordKind, 'path'>> = {
    organizations: { body: { name: 'A' }, patch: { displayName: 'B' } },
    orggroups: { body: { name: 'A', organizations: [organization] }, patch: { name: 'B' } },
    users: { body: { role: 'agent', meta: { b: 1, a: 2 } }, patch: { givenName: 'B' } },
    contacts: { body: { profile: { name: 'A', locale: 'nl' } }, patch: { meta: { b: 1 } } },
    kbitems: { body: { title: 'A', tags: ['x'] }, patch: { content: 'B' } },
    forms: { body: { name: 'A', fields: [{ name: 'a', key: 'a' }] }, patch: { name: 'B' } },
    channels: { body: { name: 'A' }, patch: { name: 'B' } },
    services: { body: { name: 'A', type: 'webhook', params }, patch: { name: 'B' } },
    eventtypes: { body: uniquelyNamed(), patch: { description: 'B' } },
    conversations: { body: { name: 'A', meta: { c: 1 } }, patch: { name: 'B' } },
    messages: { body: { conversation, text: 'A', meta: { c: 1 } }, patch: { text: 'B' } },
  };
  return Object.entries(kinds).map(([name, kind]) => ({ path: `/${name}`, ...kind }));
}

function uniquelyNamed(): object {
  let count = 0;
  return {
    get name() {
      count += 1;
      return `a.b${count}`;
    },
  };
}
