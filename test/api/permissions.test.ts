import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROUTES } from '../../api/routes.ts';
import { SCOPES } from '../../domain/scope.ts';
import { newUser, startApi, startSecondApi } from '../support/api.ts';
import type { KeyHolder } from '../support/api.ts';
import { client } from '../support/client.ts';
import type { Client } from '../support/client.ts';
import type { Product } from '../support/product.ts';

const ABSENT = 'ffffffffffffffffffffffff';

/** The table of spec 5.7, as its rows stand there: list, fetch, create, update, delete. */
const PERMISSIONS: Record<string, [string, string, string, string, string]> = {
  organizations: ['bot', 'bot', 'admin', 'admin', 'admin'],
  orggroups: ['bot', 'bot', 'admin', 'admin', 'admin'],
  users: ['bot', 'bot', 'admin', 'admin', 'admin'],
  conversations: ['agent', 'guest', 'agent', 'admin', 'admin'],
  messages: ['bot', 'bot', 'guest', 'bot', 'admin'],
  contacts: ['agent', 'bot', 'bot', 'bot', 'admin'],
  kbitems: ['agent', 'agent', 'agent', 'agent', 'bot'],
  forms: ['bot', 'admin', 'bot', 'bot', 'admin'],
  services: ['admin', 'admin', 'admin', 'admin', 'admin'],
  // The last two are the contract's (4).
  channels: ['bot', 'bot', 'admin', 'admin', 'admin'],
  eventtypes: ['admin', 'admin', 'admin', 'admin', 'admin'],
};
const OPERATIONS = ['GET', 'GET :id', 'POST', 'PATCH :id', 'DELETE :id'];

/** What the contract adds, and to whom. */
const OTHERS: Record<string, string | null> = {
  'POST /auth/token': null,
  'GET /auth/token': 'guest',
  'POST /users/me/otp': 'guest',
  'PUT /users/me/otp': 'guest',
  'DELETE /users/me/otp': 'guest',
  'GET /users/:id/apikeys': 'admin',
  'POST /users/:id/apikeys': 'admin',
  'DELETE /users/:id/apikeys/:key': 'admin',
  'GET /conversations/:id/messages': 'bot',
  'POST /conversations/:id/messages': 'guest',
  'GET /conversations/:id/stream': 'guest',
  'PUT /conversations/:id/read': 'guest',
  'GET /conversations/:id/links': 'guest',
  'GET /links': 'guest',
  'POST /services/:id/verify': 'admin',
  'POST /services/:id/test': 'admin',
  'POST /services/:id/replay': 'admin',
  'GET /deliveries': 'admin',
  'GET /deliveries/:id': 'admin',
  'POST /deliveries/:id/retry': 'admin',
};

function expectedScope(method: string, path: string): string | null | undefined {
  const [, resource = '', id, further] = path.split('/');
  const row = further === undefined ? PERMISSIONS[resource] : undefined;
  const operation = OPERATIONS.indexOf(id === undefined ? method : `${method} ${id}`);
  return row?.[operation] ?? OTHERS[`${method} ${path}`];
}

describe('permissions', () => {
  let product: Product;
  const callers = new Map<string, KeyHolder>();
  let anonymous: Client;

  beforeAll(async () => {
    product = await startApi('permissions');
    anonymous = client(product.base);
    for (const role of ['viewer', 'agent', 'bot', 'admin']) {
      callers.set(role === 'viewer' ? 'guest' : role, await newUser(product, { role }));
    }
  });
  afterAll(() => product.close());

  test.each(ROUTES.map((row) => [`${row.method} ${row.path}`, row] as const))(
    '%s needs the scope that the specification says',
    (_, row) => {
      expect(row.scope).toBe(expectedScope(row.method, row.path));
    },
  );

  const guarded = ROUTES.filter(({ scope }) => scope !== null);

  test.each(guarded.map((row) => [`${row.method} ${row.path}`, row] as const))(
    '%s refuses nobody without a token, and every scope below its own',
    async (_, { method, path, scope }) => {
      const concrete = path.replace(/:\w+/g, ABSENT);
      expect((await anonymous.request(method, concrete)).status).toBe(401);
      for (const held of SCOPES) {
        const { status, body } = await callers.get(held)!.request(method, concrete);
        const allowed = SCOPES.indexOf(held) >= SCOPES.indexOf(scope!);
        if (allowed) expect([401, 403]).not.toContain(status);
        else expect([status, body.code]).toEqual([403, 'forbidden']);
      }
    },
  );

  test('lets a guest see and change himself, but not what he may do', async () => {
    const guest = callers.get('guest')!;
    for (const id of ['me', guest.user]) {
      const seen = await guest.get(`/users/${id}`);
      expect([seen.status, seen.body.id]).toEqual([200, guest.user]);
    }
    const renamed = await guest.request('PATCH', '/users/me', { givenName: 'Gast' });
    expect([renamed.status, renamed.body.name]).toEqual([200, 'Gast']);
    for (const change of [{ role: 'admin' }, { organization: ABSENT }]) {
      expect((await guest.request('PATCH', '/users/me', change)).status).toBe(403);
    }
    expect((await guest.get(`/users/${callers.get('bot')!.user}`)).status).toBe(403);
  });

  test('lets a guest see only conversations he takes part in', async () => {
    const guest = callers.get('guest')!;
    const { body } = await product.admin.post('/conversations', { name: 'private' });
    expect((await guest.get(`/conversations/${body.id}`)).status).toBe(404);
    expect((await guest.post('/messages', { conversation: body.id, text: 'hello' })).status).toBe(404);
    await product.admin.post('/messages', {
      conversation: body.id,
      type: 'command',
      text: '/assign',
      meta: { users: [guest.user] },
    });
    expect((await guest.get(`/conversations/${body.id}`)).status).toBe(200);
    const said = await guest.post('/messages', { conversation: body.id, text: 'hello' });
    expect([said.status, said.body.role]).toEqual([201, 'contact']);
    const shouted = { conversation: body.id, text: '/accept', type: 'command' };
    expect((await guest.post('/messages', shouted)).status).toBe(403);
  });
});

/** Contract 4: a caller sees his organization and everything below it. */
describe('the organization tree', () => {
  let product: Product;
  let branch: string;
  let sibling: string;
  let inside: KeyHolder;

  beforeAll(async () => {
    product = await startApi('tree');
    branch = (await product.admin.post('/organizations', { name: 'branch' })).body.id;
    sibling = (await product.admin.post('/organizations', { name: 'sibling' })).body.id;
    inside = await newUser(product, { role: 'admin', organization: branch });
  });
  afterAll(() => product.close());

  test('is built from parents', async () => {
    const leaf = await inside.post('/organizations', { name: 'leaf', parent: branch });
    expect(leaf.status).toBe(201);
    expect(leaf.body).toMatchObject({
      parent: branch,
      level: 2,
      path: [product.organization, branch, leaf.body.id].join('#'),
    });
    const listed = await inside.get('/organizations?sort=level');
    expect(listed.body).toMatchObject([{ name: 'branch' }, { name: 'leaf' }]);
  });

  test('hides records beside and above as if they did not exist', async () => {
    const outside = { organization: sibling };
    const user = await product.admin.post('/users', { role: 'agent', ...outside });
    const contact = await product.admin.post('/contacts', {
      ...outside,
      profile: { email: 'a@example.com' },
    });
    const service = await product.admin.post('/services', {
      ...outside,
      name: 'hook',
      type: 'webhook',
      params: { url: 'http://127.0.0.1:9/' },
    });
    const conversation = await product.admin.post('/conversations', {
      ...outside,
      messages: [{ text: 'secret' }],
    });
    const message = conversation.body.messages[0];
    const paths: string[] = [
      `/organizations/${sibling}`,
      `/organizations/${product.organization}`,
      `/users/${user.body.id}`,
      `/contacts/${contact.body.id}`,
      `/services/${service.body.id}`,
      `/conversations/${conversation.body.id}`,
      `/conversations/${conversation.body.id}/messages`,
      `/messages/${message}`,
    ];
    for (const path of paths) {
      expect((await product.admin.get(path)).status, path).toBe(200);
      expect((await inside.get(path)).status, path).toBe(404);
    }
    for (const path of ['users', 'contacts', 'services', 'organizations'].map((name) => `/${name}/`)) {
      const id = paths.find((known) => known.startsWith(path))!.slice(path.length);
      expect((await inside.request('PATCH', `${path}${id}`, { meta: {} })).status, path).toBe(404);
    }
    const post = await inside.post('/messages', { conversation: conversation.body.id, text: 'x' });
    expect(post.status).toBe(404);
    const lists = ['/users', '/contacts', '/services', '/conversations', '/messages?type=chat'];
    for (const path of lists) {
      const { body } = await inside.get(path);
      expect(JSON.stringify(body), path).not.toContain(sibling);
    }
    expect((await inside.get(`/users?organization=${sibling}`)).body).toEqual([]);
  });

  test.each(['/users', '/contacts', '/conversations', '/services', '/organizations'])(
    'refuses a body for %s that names an organization outside with 403',
    async (path) => {
      const bodies: Record<string, object> = {
        '/users': { role: 'bot' },
        '/services': { name: 'x', type: 'webhook', params: { url: 'http://127.0.0.1:9/' } },
      };
      for (const organization of [sibling, product.organization, ABSENT, 'nonsense']) {
        const named = path === '/organizations' ? { name: 'x', parent: organization } : { organization };
        const { status, body } = await inside.post(path, { ...bodies[path], ...named });
        expect([status, body.code]).toEqual([403, 'forbidden']);
      }
    },
  );

  test('shows records of an organization that another process has just made', async () => {
    const other = await startSecondApi('tree');
    try {
      const there = client(other.base, (await newUser(product, { role: 'admin' })).token);
      expect((await there.get('/users')).status).toBe(200);
      const fresh = (await product.admin.post('/organizations', { name: 'fresh' })).body.id;
      const user = await product.admin.post('/users', { role: 'bot', organization: fresh });
      expect((await there.get(`/users/${user.body.id}`)).status).toBe(200);
      expect((await there.get(`/users?organization=${fresh}`)).body).toHaveLength(1);
      expect((await there.post('/contacts', { organization: fresh })).status).toBe(201);
    } finally {
      await other.close();
    }
  });
});
