import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import type { Product } from '../support/product.ts';
import { createRecordHelpers } from '../support/records.ts';
import { startReceiver } from '../support/receiver.ts';
import { untilActive, untilVerified } from '../support/services.ts';

/** Spec 4.3. */
describe('resources', () => {
  let product: Product;

  beforeAll(async () => {
    product = await sharedApi('resources');
  });
  afterAll(() => product.close());

  const { patch } = createRecordHelpers(() => product);

  describe('users', () => {
    test('users have a derived name and an email, and never show a password', async () => {
      const { status, body, headers } = await product.admin.post('/users', {
        role: 'agent',
        givenName: 'Grace',
        familyName: 'Hopper',
        email: ' Grace.Hopper@Example.com',
        password: 'nanoseconds',
      });
      expect(status).toBe(201);
      expect(headers.get('location')).toBe(`${product.base}/users/${body.id}`);
      expect(body).toMatchObject({
        name: 'Grace Hopper',
        email: 'grace.hopper@example.com',
        status: 'offline',
      });
      expect(JSON.stringify(body)).not.toMatch(/password|argon/);
      expect((await product.admin.get(`/users/${body.id}`)).body).toEqual(body);
      const bot = (await product.admin.post('/users', { role: 'bot' })).body;
      expect(bot.email).toBe(`bot+${bot.id}@parlance.local`);
    });

    test('users cannot share an email, regardless of case and organization', async () => {
      const branch = (await product.admin.post('/organizations', { name: 'branch' })).body.id;
      const first = await product.admin.post('/users', { role: 'bot', email: 'one@example.com' });
      const taken = { role: 'agent', email: 'ONE@example.com', organization: branch };
      expect((await product.admin.post('/users', taken)).status).toBe(409);
      const other = (await product.admin.post('/users', { role: 'agent' })).body.id;
      expect((await patch(`/users/${other}`, { email: 'one@Example.com' })).status).toBe(409);
      expect((await patch(`/users/${first.body.id}`, { email: 'ONE@example.com' })).status).toBe(200);
    });

    test('a change to a user affects only the given fields, replaces meta as a whole, and with null clears a field or restores its default', async () => {
      const { id } = (
        await product.admin.post('/users', { role: 'agent', givenName: 'A', meta: { a: 1, b: 2 } })
      ).body;
      const { status, body } = await patch(`/users/${id}`, {
        givenName: null,
        meta: { c: 3 },
        status: 'online',
      });
      expect(status).toBe(200);
      expect(body).toMatchObject({ meta: { c: 3 }, status: 'online', role: 'agent' });
      expect(body.meta).toEqual({ c: 3 });
      expect(body).not.toHaveProperty('givenName');
      expect((await patch(`/users/${id}`, { status: null, meta: null })).body).toMatchObject({
        status: 'offline',
        meta: {},
      });
      expect((await product.admin.request('DELETE', `/users/${id}`)).status).toBe(204);
      expect((await product.admin.get(`/users/${id}`)).status).toBe(404);
      expect((await product.admin.request('DELETE', `/users/${id}`)).status).toBe(404);
    });

    test.each([
      ['no role', {}],
      ['an invalid role', { role: 'king' }],
      ['a short password', { role: 'agent', password: 'short' }],
      ['an invalid email', { role: 'agent', email: 'nobody' }],
    ])('users with %s are rejected with 400', async (_, body) => {
      expect((await product.admin.post('/users', body)).status).toBe(400);
    });

    test.each([{ role: null }, { role: 'king' }, { meta: { $a: 1 } }, { avatar: 7 }])(
      'a user is not changed by the invalid body %j',
      async (body) => {
        const { id } = (await product.admin.post('/users', { role: 'agent' })).body;
        expect((await patch(`/users/${id}`, body)).status).toBe(400);
      },
    );
  });

  describe('API keys', () => {
    test.each([{}, { name: 'x' }, { name: 'x', scopes: [] }, { name: 'x', scopes: ['king'] }])(
      'API keys are not created from the invalid body %j',
      async (body) => {
        const { id } = (await product.admin.post('/users', { role: 'bot' })).body;
        expect((await product.admin.post(`/users/${id}/apikeys`, body)).status).toBe(400);
        expect((await product.admin.get(`/users/${id}/apikeys`)).body).toEqual([]);
      },
    );

    test('API keys cannot be revoked through another user', async () => {
      const [one, two] = [await newUser(product, { role: 'bot' }), await newUser(product, { role: 'bot' })];
      const path = `/users/${one.user}/apikeys/${two.key}`;
      expect((await product.admin.request('DELETE', path)).status).toBe(404);
      expect((await two.get('/users/me')).status).toBe(200);
    });
  });

  describe('contacts', () => {
    test('contacts store emails in lower case, and telephone numbers with the country code of the organization', async () => {
      const organization = (await product.admin.post('/organizations', { name: 'nl', country: 'NL' })).body
        .id;
      const profile = {
        name: 'Jan',
        email: ' Jan@Example.NL ',
        telephone: '020 624 1111',
        address: { city: 'A' },
      };
      const { status, body } = await product.admin.post('/contacts', { organization, profile });
      expect(status).toBe(201);
      expect(body.profile).toEqual({
        name: 'Jan',
        email: 'jan@example.nl',
        telephone: '+31206241111',
        address: { city: 'A' },
      });
      const replaced = await patch(`/contacts/${body.id}`, { profile: { name: 'Piet' } });
      expect(replaced.body.profile).toEqual({ name: 'Piet' });
    });

    test('contacts cannot share an email or a telephone number within an organization', async () => {
      const profile = { email: 'c@example.com', telephone: '+12025550111' };
      expect((await product.admin.post('/contacts', { profile })).status).toBe(201);
      for (const [field, value] of Object.entries(profile)) {
        const { status, body } = await product.admin.post('/contacts', { profile: { [field]: value } });
        expect([status, body.code]).toEqual([409, 'conflict']);
      }
      const organization = (await product.admin.post('/organizations', { name: 'elsewhere' })).body.id;
      expect((await product.admin.post('/contacts', { organization, profile })).status).toBe(201);
    });

    test.each([
      [400, { profile: { email: 'x' } }],
      [400, { profile: { name: 5 } }],
      [400, { profile: { address: { 'a.b': 'x' } } }],
      [
        400,
        { profile: { address: Object.fromEntries([...Array(51).keys()].map((n) => [`line${n}`, 'x'])) } },
      ],
      [400, { meta: { constructor: 1 } }],
      [422, { profile: { telephone: '12' } }],
    ])('contacts are rejected with %i for %j', async (status, body) => {
      expect((await product.admin.post('/contacts', body)).status).toBe(status);
    });
  });

  describe('organizations', () => {
    test('a change to an organization replaces the given fields, and null restores a default', async () => {
      const { id } = (await product.admin.post('/organizations', { name: 'before', tags: ['a'] })).body;
      const { body } = await patch(`/organizations/${id}`, {
        name: 'after',
        tags: null,
        categories: [{ name: 'Sales' }],
      });
      expect(body).toMatchObject({ name: 'after', tags: [], categories: [{ name: 'Sales', forms: [] }] });
    });

    test.each([{}, { name: '' }, { name: 'x', country: 'Netherlands' }, { name: 'x', categories: [{}] }])(
      'organizations are not created from the invalid body %j',
      async (body) => {
        expect((await product.admin.post('/organizations', body)).status).toBe(400);
      },
    );
  });

  describe('services', () => {
    const hook = (url: string, more: object = {}) => ({
      name: 'hook',
      type: 'webhook',
      params: { url },
      ...more,
    });

    test('services are verified on creation, on a change of url, and on request', async () => {
      const receiver = await startReceiver();
      const made = await product.admin.post('/services', hook('http://127.0.0.1:9/'));
      const failed = await untilVerified(product.admin, made);
      expect([made.status, failed.status]).toEqual([201, 'failed']);
      expect(failed.statusReason).toContain('ECONNREFUSED');
      const path = `/services/${made.body.id}`;
      const moved = await patch(path, { params: { url: receiver.url, events: ['message.create.*'] } });
      expect(moved.status).toBe(200);
      expect(await untilActive(product.admin, moved)).not.toHaveProperty('statusReason');
      expect(receiver.received).toHaveLength(1);
      await patch(path, { name: 'renamed' });
      expect(receiver.received).toHaveLength(1);
      const verified = await product.admin.post(`${path}/verify`);
      expect([verified.status, verified.body.name]).toEqual([200, 'renamed']);
      expect(receiver.received).toHaveLength(2);
      expect((await product.admin.request('DELETE', path)).status).toBe(204);
      expect((await product.admin.get(path)).status).toBe(404);
      await receiver.close();
    });

    test('an organization and its ancestors below the root can have at most 50 services together, also under concurrent creation', async () => {
      const { admin } = product;
      const child = async (parent: string) => {
        const { body } = await admin.post('/organizations', { name: 'bounded', parent });
        return body.id as string;
      };
      const shop = await child(product.organization);
      const stand = await child(shop);
      const register = (organization: string, params: object = {}) =>
        admin.post('/services', hook('http://127.0.0.1:9/', { organization, ...params }));
      const made = await Promise.all(Array.from({ length: 56 }, () => register(stand)));
      const kept = made.filter(({ status }) => status === 201);
      expect(kept).toHaveLength(50);
      for (const organization of [stand, shop]) {
        const refused = await register(organization);
        expect([refused.status, refused.body.message]).toEqual([422, expect.stringContaining('at most 50')]);
      }
      expect((await admin.get(`/services?organization=${stand}&limit=1`)).headers.get('X-Total')).toBe('50');
      // At the limit, services can still be changed, and a deletion permits a new service.
      const path = `/services/${kept[0]!.body.id}`;
      expect((await patch(path, { name: 'renamed' })).status).toBe(200);
      expect((await admin.request('DELETE', path)).status).toBe(204);
      expect((await register(shop)).status).toBe(201);
      for (const { id } of (await admin.get(`/services?organization=${shop}`)).body) {
        expect((await admin.request('DELETE', `/services/${id}`)).status).toBe(204);
      }
    });

    test.each([
      [422, hook('http://127.0.0.1:9/', { type: 'pigeon' })],
      [400, hook('ftp://example.com/')],
      [400, hook('nonsense')],
      [400, { name: 'x', type: 'webhook' }],
      [400, hook('http://127.0.0.1:9/', { params: { url: 'http://a/', events: ['no.such'] } })],
      [422, hook('http://127.0.0.1:9/', { user: 'ffffffffffffffffffffffff' })],
    ])('services are rejected with %i for %j', async (status, body) => {
      expect((await product.admin.post('/services', body)).status).toBe(status);
    });
  });
});
