import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUser, secondSharedApi, sharedApi } from '../support/shared-servers.ts';
import type { KeyHolder } from '../support/shared-servers.ts';
import type { Product } from '../support/product.ts';
import { client } from '../support/client.ts';
import { recordKinds } from '../support/record-kinds.ts';
import { createRecordHelpers } from '../support/records.ts';

const ABSENT = 'ffffffffffffffffffffffff';

/**
 * For each resource of spec 4.3 that is stored as given: a minimal body, and the fields of a record
 * that is created with this body.
 */
const KINDS = [
  ['forms', { name: 'Address' }, { name: 'Address', type: 'topic', fields: [], meta: {} }],
  ['channels', { name: 'Sales' }, { name: 'Sales', members: [], meta: {} }],
  ['orggroups', { name: 'Shops' }, { name: 'Shops', organizations: [], meta: {} }],
  ['kbitems', { title: 'Opening hours' }, { title: 'Opening hours', tags: [], meta: {} }],
  ['eventtypes', { name: 'order.created' }, { name: 'order.created' }],
] as const;

describe('records', () => {
  let product: Product;
  let branch: string;
  let sibling: string;
  let inside: KeyHolder;

  beforeAll(async () => {
    product = await sharedApi('records');
    branch = (await product.admin.post('/organizations', { name: 'branch' })).body.id;
    sibling = (await product.admin.post('/organizations', { name: 'sibling' })).body.id;
    inside = await newUser(product, { role: 'admin', organization: branch });
  });
  afterAll(() => product.close());

  const { patch, remove } = createRecordHelpers(() => product);

  describe.each(KINDS)('/%s', (kind, least, whole) => {
    test('a record can be created, shown, listed, changed and deleted', async () => {
      const organization = (await product.admin.post('/organizations', { name: 'own' })).body.id;
      const made = await product.admin.post(`/${kind}`, { ...least, organization, nonsense: 1 });
      const path = `/${kind}/${made.body.id}`;
      expect(made.status).toBe(201);
      expect(made.headers.get('location')).toBe(`${product.base}${path}`);
      const { id, createdAt, updatedAt, createdBy, ...fields } = made.body;
      expect(fields).toEqual({ organization, ...whole });
      expect([id, createdBy].map((one) => one.length)).toEqual([24, 24]);
      expect(updatedAt).toBe(createdAt);
      expect((await product.admin.get(path)).body).toEqual(made.body);
      const listed = await product.admin.get(`/${kind}?organization=${organization}`);
      expect([listed.body, listed.headers.get('x-total')]).toEqual([[made.body], '1']);
      const [name = ''] = Object.keys(least);
      const changed = await patch(path, { [name]: 'renamed' });
      expect([changed.status, changed.body]).toEqual([
        200,
        { ...made.body, [name]: 'renamed', updatedAt: changed.body.updatedAt },
      ]);
      expect((await product.admin.get(path)).body).toEqual(changed.body);
      expect((await remove(path)).status).toBe(204);
      expect([(await product.admin.get(path)).status, (await remove(path)).status]).toEqual([404, 404]);
      expect((await patch(path, least)).status).toBe(404);
      expect((await product.admin.get(`/${kind}?organization=${organization}`)).body).toEqual([]);
    });

    test('records of sibling and parent organizations are hidden, and writes to these records are rejected', async () => {
      const outside = await product.admin.post(`/${kind}`, { ...least, organization: sibling });
      const above = await product.admin.post(`/${kind}`, least);
      for (const { status, body } of [outside, above]) {
        expect(status).toBe(201);
        const path = `/${kind}/${body.id}`;
        const answers = [
          await inside.get(path),
          await inside.request('PATCH', path, least),
          await inside.request('DELETE', path),
        ];
        expect(answers.map((answer) => answer.status)).toEqual([404, 404, 404]);
        expect((await product.admin.get(path)).body).toEqual(body);
      }
      const own = await inside.post(`/${kind}`, least);
      expect([own.status, own.body.organization]).toEqual([201, branch]);
      expect((await inside.get(`/${kind}`)).body).toEqual([own.body]);
      expect((await inside.get(`/${kind}?organization=${sibling}`)).body).toEqual([]);
      for (const organization of [sibling, product.organization, ABSENT, 'nonsense']) {
        const made = await inside.post(`/${kind}`, { ...least, organization });
        const moved = await inside.request('PATCH', `/${kind}/${own.body.id}`, { organization });
        expect([made.status, moved.status]).toEqual([403, 403]);
      }
      expect((await inside.get(`/${kind}/${own.body.id}`)).body).toEqual(own.body);
    });
  });

  test.each([
    ['/forms', {}],
    ['/forms', { name: '' }],
    ['/forms', { name: 'x', type: 'king' }],
    ['/forms', { name: 'x', fields: [{ name: 'x' }] }],
    ['/forms', { name: 'x', fields: [{ name: 'x', key: '$x' }] }],
    ['/forms', { name: 'x', fields: [{ name: 'x', key: '__proto__' }] }],
    ['/forms', { name: 'x', fields: ['a', 'b'].map((name) => ({ name, key: 'k' })) }],
    ['/forms', { name: 'x', meta: { 'a.b': 1 } }],
    ['/channels', {}],
    ['/channels', { name: 'x', members: [{}] }],
    ['/channels', { name: 'x', members: [{ user: 7 }] }],
    ['/channels', { name: 'x', members: {} }],
    ['/orggroups', {}],
    ['/orggroups', { name: 'x', organizations: 'all' }],
    ['/kbitems', {}],
    ['/kbitems', { title: 7 }],
    ['/kbitems', { title: 'x', tags: [1] }],
    ['/eventtypes', {}],
    ['/eventtypes', { name: 'a..b' }],
    ['/eventtypes', { name: 'a b' }],
    ['/eventtypes', { name: '.a' }],
  ])('POST %s rejects the body %j', async (path, body) => {
    const refused = await product.admin.post(path, body);
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid_request']);
    expect(refused.body.details.length).toBeGreaterThan(0);
  });
});

test('an organization that another process deleted accepts no record of any kind', async () => {
  const product = await sharedApi('gone-organization');
  const { base } = await secondSharedApi();
  const other = client(base, product.token);
  for (const { path, body } of await recordKinds(product)) {
    if (path === '/messages') continue;
    const { id } = (await product.admin.post('/organizations', { name: 'gone' })).body;
    // This read makes the other process cache the organization for some seconds.
    expect((await other.get(`/organizations/${id}`)).status).toBe(200);
    expect((await product.admin.request('DELETE', `/organizations/${id}`)).status).toBe(204);
    const place = path === '/organizations' ? { parent: id } : { organization: id };
    const made = await other.post(path, { ...body, ...place });
    expect([path, [403, 404].includes(made.status)]).toEqual([path, true]);
  }
  await product.close();
});
