import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROUTES } from '../../api/routes.ts';
import type { Route } from '../../api/route.ts';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import type { KeyHolder } from '../support/shared-servers.ts';
import { client } from '../support/client.ts';
import type { ApiClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { signIn } from '../support/product.ts';
import type { Product } from '../support/product.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';

/** Minimal bodies by path, without the organization. */
const LEAST: Record<string, object> = {
  '/orggroups': { name: 'x' },
  '/users': { role: 'agent' },
  '/contacts': {},
  '/kbitems': { title: 'x' },
  '/forms': { name: 'x' },
  '/channels': { name: 'x' },
  '/eventtypes': { name: 'x' },
  '/conversations': { name: 'secret', messages: [{ text: 'secret' }] },
};

/** Valid bodies by route. Other routes use `{}`. */
const BODIES: Record<string, unknown> = {
  'POST /conversations/:id/messages': { text: 'x' },
  'PATCH /messages/:id': { text: 'x' },
  'POST /users/:id/apikeys': { name: 'x', scopes: ['guest'] },
  'POST /services/:id/replay': { since: '2026-01-01T00:00:00Z' },
  'POST /services/:id/events/ack': { ids: ['x'] },
  'POST /services/:id/inbound': { entries: [{ id: 'x', from: { id: 'x' }, messages: [{ text: 'x' }] }] },
  'POST /services/:id/receipts': { receipts: [{ message: 'x', status: 'read' }] },
  'PUT /eventtypes/:id/jsonata': '{}',
  'POST /eventtypes/:id/ingest': { user: '0123456789abcdef01234567' },
  'POST /eventtypes/:id/retry': { since: '2026-01-01T00:00:00Z' },
  'POST /contacts/:id/labels': { add: ['x'] },
  'PATCH /contacts/:id/profile': { name: 'x' },
  'PUT /contacts/:id/blocked': { blocked: true },
  'POST /contacts/:id/notes': { text: 'x' },
  'POST /contacts/:id/merge': { contact: '0123456789abcdef01234567' },
  'PUT /conversations/:id/typing': { typing: true },
  'PUT /channels/:id/online': { online: true },
};

const QUERIES: Record<string, string> = {
  '/messages': '?type=chat',
  '/messages/search': '?q=secret',
  '/conversations/search': '?q=secret',
};

const isList = ({ method, path, answer }: Route) =>
  method === 'GET' && !path.includes(':') && answer !== undefined && 'items' in answer;
const named = (row: Route) => [`${row.method} ${row.path}`, row] as const;
// Takes no filter by organization (test/api/colleagues.test.ts).
const isOfOwnOrganization = ({ path }: Route) => path === '/users/colleagues';
const LISTS = ROUTES.filter((row) => isList(row) && !isOfOwnOrganization(row)).map(named);
const ONES = ROUTES.filter(({ path }) => path.includes(':id')).map(named);

/** Spec 4.1: callers reach their organization and its descendants, but no sibling or ancestor. */
describe.each(['beside', 'above'])(
  'records in an organization %s the organization of the caller',
  (where) => {
    let product: Product;
    let receiver: Receiver;
    let outside: string;
    let inside: KeyHolder;
    /** A session of the user of `inside`, for routes that reject API keys. */
    let session: ApiClient;
    let guest: KeyHolder;
    /** Ids of records outside the reach of the caller, by path. */
    const records = new Map<string, string>();
    const before = new Map<string, unknown>();
    let key: string;

    beforeAll(async () => {
      product = await sharedApi(`tree-${where}`);
      receiver = await startReceiver();
      const { admin } = product;
      const newOrganization = async (name: string) => (await admin.post('/organizations', { name })).body.id;
      const branch = await newOrganization('branch');
      outside = where === 'above' ? product.organization : await newOrganization('sibling');
      const login = { email: `inside-${where}@parlance.example`, password: 'correct horse battery' };
      inside = await newUser(product, { role: 'admin', organization: branch, ...login });
      session = client(product.base, (await signIn(product.base, login)).token);
      guest = await newUser(product, { role: 'viewer', organization: outside });
      const params = { url: receiver.url };
      const service = { name: 'x', type: 'webhook', params };
      for (const [path, body] of Object.entries({ '/services': service, ...LEAST })) {
        const made = await admin.post(path, { ...body, organization: outside });
        expect(made.status, path).toBe(201);
        records.set(path, made.body.id);
        if (path === '/conversations') records.set('/messages', made.body.messages[0]);
      }
      records.set('/organizations', outside);
      const [delivery] = await eventually(async () => {
        const { body } = await admin.get(`/deliveries?service=${records.get('/services')}&status=delivered`);
        return body.length > 0 ? body : false;
      });
      records.set('/deliveries', delivery.id);
      const outsider = await newUser(product, { role: 'admin', organization: outside });
      await outsider.post('/events/x', {});
      records.set('/events', (await outsider.get(`/events?organization=${outside}`)).body[0].id);
      const user = records.get('/users');
      key = (await admin.post(`/users/${user}/apikeys`, { name: 'x', scopes: ['guest'] })).body.id;
      for (const [path, id] of records) before.set(path, (await admin.get(`${path}/${id}`)).body);
    });
    afterAll(async () => {
      await product.close();
      await receiver.close();
    });

    function ask(caller: ApiClient, { method, path, body, bodyType }: Route) {
      const id = records.get(`/${path.split('/')[1]}`) ?? 'unknown';
      const given = BODIES[`${method} ${path}`] ?? (bodyType === 'text/plain' ? 'x' : {});
      return caller.request(
        method,
        path.replace(':id', id).replace(':key', key),
        body && given,
        body ? { 'Content-Type': bodyType } : {},
      );
    }

    test('the tested records out of the caller’s reach cover every resource that has a route with an id', () => {
      const known = ONES.map(([, { path }]) => `/${path.split('/')[1]}`);
      expect([...records.keys()].sort()).toEqual([...new Set(known)].sort());
    });

    test.each(ONES)('records out of the caller’s reach are 404 for %s', async (_, row) => {
      const { status, body } = await ask(row.session ? session : inside, row);
      expect([status, body.code]).toEqual([404, 'not_found']);
    });

    test.each(LISTS)(
      'records out of the caller’s reach are missing from %s, with and without a filter',
      async (_, { path }) => {
        const query = QUERIES[path] ?? '';
        const id = path === '/organizations' ? 'id' : 'organization';
        // A search accepts no filter by organization.
        const narrowed = path.endsWith('/search')
          ? query
          : `${query}${query === '' ? '?' : '&'}${id}=${outside}`;
        const listed = await inside.get(`${path}${query}`);
        expect(listed.status).toBe(200);
        const ids = listed.body.map((record: { id: string }) => record.id);
        for (const record of records.values()) expect(ids).not.toContain(record);
        expect(listed.headers.get('x-total')).toBe(String(ids.length));
        expect((await inside.get(`${path}${narrowed}`)).body).toEqual([]);
        const [whole] = [(await product.admin.get(`${path}${narrowed}`)).body];
        expect(whole.length, 'the list shows them to others').toBeGreaterThan(0);
      },
    );

    test('conversations out of the caller’s reach show no links', async () => {
      expect((await inside.get(`/links?conversation=${records.get('/conversations')}`)).status).toBe(404);
      expect((await guest.get(`/links?conversation=${records.get('/conversations')}`)).status).toBe(404);
    });

    const open = ONES.filter(([, { scope, path }]) => scope === 'guest' && !path.startsWith('/users'));

    test.each(open)(
      'a guest who does not participate in the conversation gets 404 for the route %s',
      async (_, row) => {
        expect((await ask(guest, row)).status).toBe(404);
      },
    );

    test('records out of the caller’s reach are unchanged after all attempts', async () => {
      for (const [path, id] of records) {
        const { status, body } = await product.admin.get(`${path}/${id}`);
        expect([path, status]).toEqual([path, 200]);
        expect(body, path).toEqual(before.get(path));
      }
      expect((await product.admin.get(`/users/${records.get('/users')}/apikeys`)).body).toHaveLength(1);
    });
  },
);
