import type { Product } from './product.ts';

/** One resource: what makes a record of it, and what changes one. */
export interface RecordKind {
  path: string;
  /** Another one each time it is asked for, where a name must be unique. */
  body: object;
  patch: object;
}

/** Every resource whose records can be made, changed and deleted (spec 4). */
export async function recordKinds({ admin, organization }: Product): Promise<RecordKind[]> {
  const { id: conversation } = (await admin.post('/conversations', {})).body;
  const params = { url: 'http://127.0.0.1:9/' };
  return [
    { path: '/organizations', body: { name: 'A' }, patch: { displayName: 'B' } },
    { path: '/orggroups', body: { name: 'A', organizations: [organization] }, patch: { name: 'B' } },
    { path: '/users', body: { role: 'agent', meta: { b: 1, a: 2 } }, patch: { givenName: 'B' } },
    { path: '/contacts', body: { profile: { name: 'A', locale: 'nl' } }, patch: { meta: { b: 1 } } },
    { path: '/kbitems', body: { title: 'A', tags: ['x'] }, patch: { content: 'B' } },
    { path: '/forms', body: { name: 'A', fields: [{ name: 'a', key: 'a' }] }, patch: { name: 'B' } },
    { path: '/channels', body: { name: 'A' }, patch: { name: 'B' } },
    { path: '/services', body: { name: 'A', type: 'webhook', params }, patch: { name: 'B' } },
    { path: '/eventtypes', body: uniquelyNamed(), patch: { description: 'B' } },
    { path: '/conversations', body: { name: 'A', meta: { c: 1 } }, patch: { name: 'B' } },
    { path: '/messages', body: { conversation, text: 'A', meta: { c: 1 } }, patch: { text: 'B' } },
  ];
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
