import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROUTES } from '../../api/routes.ts';
import { SCOPES } from '../../domain/scope.ts';
import type { Scope } from '../../domain/scope.ts';
import { newUser, secondSharedApi, sharedApi } from '../support/shared-servers.ts';
import type { KeyHolder } from '../support/shared-servers.ts';
import { client } from '../support/client.ts';
import type { ApiClient } from '../support/client.ts';
import { PERMISSIONS, OPERATIONS, expectedScope } from '../support/permission-table.ts';
import { signIn } from '../support/product.ts';
import type { Product } from '../support/product.ts';

const ABSENT = 'ffffffffffffffffffffffff';

describe('permissions', () => {
  let product: Product;
  const callers = new Map<string, KeyHolder>();
  let anonymous: ApiClient;

  beforeAll(async () => {
    product = await sharedApi('permissions');
    anonymous = client(product.base);
    for (const role of ['viewer', 'agent', 'bot', 'admin']) {
      callers.set(role === 'viewer' ? 'guest' : role, await newUser(product, { role }));
    }
  });
  afterAll(() => product.close());

  test.each(ROUTES.map((row) => [`${row.method} ${row.path}`, row] as const))(
    '%s requires the specified scope',
    (_, row) => {
      expect(row.scope).toBe(expectedScope(row.method, row.path));
    },
  );

  test('the route table has a route for every operation in the specification', () => {
    const rows = new Set(ROUTES.map(({ method, path }) => `${method} ${path}`));
    const table = Object.keys(PERMISSIONS).flatMap((resource) =>
      OPERATIONS.map((operation) =>
        operation.replace(/(\w+) ?(:id)?/, `$1 /${resource}/$2`).replace(/\/$/, ''),
      ),
    );
    expect(table.filter((row) => !rows.has(row))).toEqual([]);
  });

  const guarded = ROUTES.filter(({ scope }) => scope !== null);
  let logins = 0;

  /** Returns a caller with a scope: with an API key, or with a new session if `session` is true. */
  async function callerWith(scope: Scope, session: boolean): Promise<ApiClient> {
    if (!session) return callers.get(scope)!;
    const credentials = { email: `permitted${logins++}@example.com`, password: 'correct horse' };
    await product.admin.post('/users', { ...credentials, role: scope === 'guest' ? 'viewer' : scope });
    return client(product.base, (await signIn(product.base, credentials)).token);
  }

  test.each(guarded.map((row) => [`${row.method} ${row.path}`, row] as const))(
    '%s responds 401 without a token and 403 below the required scope',
    async (name, { method, path, scope, session }) => {
      const concrete = path.replace(/:\w+/g, ABSENT);
      expect((await anonymous.request(method, concrete)).status).toBe(401);
      for (const held of SCOPES) {
        if (session) expect((await callers.get(held)!.request(method, concrete)).status).toBe(403);
        const { status, body } = await (await callerWith(held, session ?? false)).request(method, concrete);
        const allowed = SCOPES.indexOf(held) >= SCOPES.indexOf(scope!);
        // A bot may read messages, so it learns that a message does not exist (spec 6.4).
        const mayLearn = name === 'DELETE /messages/:id' && held === 'bot';
        if (mayLearn) expect([status, body.code]).toEqual([404, 'not_found']);
        else if (allowed) expect([401, 403]).not.toContain(status);
        else expect([status, body.code]).toEqual([403, 'forbidden']);
      }
    },
  );

  test.each([
    ['viewer', [403, 403, 403]],
    ['agent', [200, 403, 403]],
    ['bot', [200, 200, 403]],
    ['admin', [200, 200, 200]],
  ])(
    'the permissions of a login follow the role %s, and an API key cannot exceed these permissions',
    async (role, statuses) => {
      const credentials = { email: `${role}@example.com`, password: 'correct horse' };
      const { id } = (await product.admin.post('/users', { ...credentials, role })).body;
      const session = await signIn(product.base, credentials);
      const highest = await product.admin.post(`/users/${id}/apikeys`, { name: 'all', scopes: [...SCOPES] });
      for (const token of [session.token, highest.body.token]) {
        const caller = client(product.base, token);
        const answers = [
          await caller.get('/contacts'),
          await caller.get('/users'),
          await caller.get('/services'),
        ];
        expect(answers.map(({ status }) => status)).toEqual(statuses);
      }
      const lowest = await product.admin.post(`/users/${id}/apikeys`, { name: 'guest', scopes: ['guest'] });
      const asGuest = client(product.base, lowest.body.token);
      expect((await asGuest.get('/contacts')).status).toBe(403);
      expect((await asGuest.get('/users/me')).status).toBe(200);
    },
  );

  test('a guest can read and change their own user, but not their role and organization', async () => {
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

  test('a guest can read and post only in conversations in which the guest participates', async () => {
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

/** Spec 4.2: callers reach their organization and its descendants. */
describe('the organization tree', () => {
  let product: Product;
  let branch: string;
  let sibling: string;
  let inside: KeyHolder;

  beforeAll(async () => {
    product = await sharedApi('tree');
    branch = (await product.admin.post('/organizations', { name: 'branch' })).body.id;
    sibling = (await product.admin.post('/organizations', { name: 'sibling' })).body.id;
    inside = await newUser(product, { role: 'admin', organization: branch });
  });
  afterAll(() => product.close());

  test('the level and path of an organization follow from its parent', async () => {
    const { body: top } = await product.admin.get(`/organizations/${product.organization}`);
    const leaf = await inside.post('/organizations', { name: 'leaf', parent: branch });
    expect(leaf.status).toBe(201);
    expect(leaf.body).toMatchObject({
      parent: branch,
      level: Number(top.level) + 2,
      path: [top.path, branch, leaf.body.id].join('#'),
    });
    expect(top).toMatchObject({ level: 1, path: [top.parent, top.id].join('#') });
    const listed = await inside.get('/organizations?sort=level');
    expect(listed.body).toMatchObject([{ name: 'branch' }, { name: 'leaf' }]);
  });

  test('the organization tree hides records of siblings and ancestors with 404', async () => {
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
    'the organization tree responds 403 to POST %s if the body names an organization out of reach',
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

  test('the organization tree includes an organization that another process just created', async () => {
    const other = await secondSharedApi();
    const there = client(other.base, (await newUser(product, { role: 'admin' })).token);
    expect((await there.get('/users')).status).toBe(200);
    const fresh = (await product.admin.post('/organizations', { name: 'fresh' })).body.id;
    const user = await product.admin.post('/users', { role: 'bot', organization: fresh });
    expect((await there.get(`/users/${user.body.id}`)).status).toBe(200);
    expect((await there.get(`/users?organization=${fresh}`)).body).toHaveLength(1);
    expect((await there.post('/contacts', { organization: fresh })).status).toBe(201);
  });
});
