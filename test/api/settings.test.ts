import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import type { Product } from '../support/product.ts';
import { createRecordHelpers } from '../support/records.ts';

const KINDS = [
  ['/users', { role: 'agent' }],
  ['/organizations', { name: 'settled' }],
  ['/contacts', {}],
] as const;

/** Spec 4.3. */
describe('settings', () => {
  let product: Product;

  beforeAll(async () => {
    product = await sharedApi('settings');
  });
  afterAll(() => product.close());

  const { make, patch } = createRecordHelpers(() => product);
  const listed = async (query: string): Promise<string[]> => {
    const { status, body } = await product.admin.get(query);
    expect([query, status]).toEqual([query, 200]);
    return (body as { id: string }[]).map(({ id }) => id);
  };

  describe.each(KINDS)('settings of %s', (path, least) => {
    test('settings are stored, replaced, cleared by null, and empty by default', async () => {
      const settings = { locale: 'nl', look: { dark: true, sizes: [1, 2] } };
      const made = await make(path, { ...least, settings });
      expect(made.settings).toEqual(settings);
      const one = `${path}/${made.id}`;
      expect((await product.admin.get(one)).body.settings).toEqual(settings);
      expect((await patch(one, { meta: { a: 1 } })).body.settings).toEqual(settings);
      const { status, body } = await patch(one, { settings: { locale: 'de' } });
      expect([status, body.settings, body.meta]).toEqual([200, { locale: 'de' }, { a: 1 }]);
      expect((await patch(one, { settings: null })).body.settings).toEqual({});
      expect((await product.admin.get(one)).body).toMatchObject({ settings: {}, meta: { a: 1 } });
      expect((await make(path, { ...least, settings: null })).settings).toEqual({});
      expect((await make(path, least)).settings).toEqual({});
    });

    test('settings support filter, sort and select', async () => {
      const [nl, de, none] = [
        await make(path, { ...least, settings: { locale: 'nl', rank: 2, on: true } }),
        await make(path, { ...least, settings: { locale: 'de', rank: 10 } }),
        await make(path, least),
      ];
      const of = `${path}?id=[${nl.id},${de.id},${none.id}]`;
      expect(await listed(`${of}&settings.locale=nl`)).toEqual([nl.id]);
      expect(await listed(`${of}&settings.locale=!=nl`)).toEqual([de.id, none.id]);
      expect(await listed(`${of}&settings.locale=~^d`)).toEqual([de.id]);
      expect(await listed(`${of}&settings.rank=>3`)).toEqual([de.id]);
      expect(await listed(`${of}&settings.on=true`)).toEqual([nl.id]);
      expect(await listed(`${of}&settings.locale=!`)).toEqual([none.id]);
      expect(await listed(`${of}&sort=-settings.rank`)).toEqual([de.id, nl.id, none.id]);
      const { body } = await product.admin.get(`${path}?id=${nl.id}&select=settings.locale`);
      expect(body[0]).toMatchObject({ id: nl.id, settings: { locale: 'nl' } });
      expect(body[0].settings).not.toHaveProperty('rank');
    });

    test.each([
      ['a key with a dot', { 'a.b': 1 }],
      ['a key that is an operator', { deep: { $where: 1 } }],
      ['more than 16 KiB', { a: 'x'.repeat(16 * 1024) }],
      ['fifty-one levels of nesting', JSON.parse('{"a":'.repeat(51) + '1' + '}'.repeat(51))],
      ['a text instead of an object', 'nl'],
      ['a list instead of an object', []],
      ['ten thousand keys', Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`k${at}`, 1]))],
    ])('settings with %s are rejected', async (_, settings) => {
      const { id } = await make(path, { ...least, settings: { kept: 1 } });
      for (const refused of [
        await product.admin.post(path, { ...least, settings }),
        await patch(`${path}/${id}`, { settings }),
      ]) {
        expect([refused.status, refused.body.details[0].path]).toEqual([400, 'settings']);
      }
      expect((await product.admin.get(`${path}/${id}`)).body.settings).toEqual({ kept: 1 });
    });

    test('settings with the key __proto__ are rejected', async () => {
      const body = JSON.stringify({ ...least, settings: { a: 1 } }).replace('"a"', '"__proto__"');
      expect((await product.admin.request('POST', path, body)).status).toBe(400);
    });
  });

  test('users can set their own settings, which are hidden from callers who may only read the name of the user', async () => {
    const viewer = await newUser(product, { role: 'viewer' });
    const { status, body } = await viewer.request('PATCH', '/users/me', { settings: { locale: 'nl' } });
    expect([status, body.settings]).toEqual([200, { locale: 'nl' }]);
    expect((await viewer.get('/users/me')).body.settings).toEqual({ locale: 'nl' });
    const agent = await newUser(product, { role: 'agent' });
    const { id } = (await agent.post('/conversations', { name: 'x' })).body;
    const shown = await agent.get(`/conversations/${id}?populate=createdBy`);
    expect(Object.keys(shown.body.createdBy).sort()).toEqual(['id', 'name', 'status']);
  });
});
