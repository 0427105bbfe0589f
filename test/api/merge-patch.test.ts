import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { applyMergePatch } from '../../api/pipeline/merge-patch.ts';
import { sharedApi } from '../support/shared-servers.ts';
import type { Product } from '../support/product.ts';
import { createRecordHelpers } from '../support/records.ts';

const MERGE = { 'Content-Type': 'application/merge-patch+json' };

test.each([
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
])('a merge patch changes %j by %j as in the examples of RFC 7396', (target, patch, result) => {
  expect(applyMergePatch(target, patch)).toEqual(result);
});

/** Spec 2.3: nested objects are merged. */
describe('a PATCH with application/merge-patch+json', () => {
  let product: Product;
  const { make, patch } = createRecordHelpers(() => product);
  const merge = (path: string, body: unknown, headers = {}) =>
    product.admin.request('PATCH', path, body, { ...MERGE, ...headers });

  beforeAll(async () => {
    product = await sharedApi('merge-patch');
  });
  afterAll(() => product.close());

  test('a merge patch of the name keeps the email and telephone of a contact, and a plain PATCH does not', async () => {
    const profile = { name: 'Ada', email: 'merged@example.com', telephone: '+31201234567' };
    const { id } = await make('/contacts', { profile, meta: { a: 1, b: { c: 2 } } });
    const { status, body } = await merge(`/contacts/${id}`, {
      profile: { name: 'Ada L.', telephone: null },
      meta: { b: { d: 3 } },
    });
    expect([status, body.profile, body.meta]).toEqual([
      200,
      { name: 'Ada L.', email: 'merged@example.com' },
      { a: 1, b: { c: 2, d: 3 } },
    ]);
    expect((await patch(`/contacts/${id}`, { profile: { name: 'Ada' } })).body.profile).toEqual({
      name: 'Ada',
    });
  });

  test('a merge patch works for users, organizations, conversations and records alike, and null clears a field', async () => {
    for (const [path, created, cleared] of [
      ['/users', { role: 'bot', givenName: 'Bot' }, 'givenName'],
      ['/organizations', { name: 'merged', displayName: 'Merged' }, 'displayName'],
      ['/kbitems', { title: 'merged', language: 'en' }, 'language'],
      ['/conversations', { name: 'merged', language: 'en' }, 'language'],
    ] as const) {
      const { id } = await make(path, { ...created, meta: { a: 1 } });
      const { status, body } = await merge(`${path}/${id}`, { meta: { b: 2 } });
      expect([path, status, body.meta]).toEqual([path, 200, { a: 1, b: 2 }]);
      expect((await merge(`${path}/${id}`, { [cleared]: null })).body).not.toHaveProperty(cleared);
    }
  });

  test('twenty merge patches at once lose no key', async () => {
    const { id } = await make('/contacts', {});
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => merge(`/contacts/${id}`, { meta: { [`k${n}`]: n } })),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const { meta } = (await product.admin.get(`/contacts/${id}`)).body;
    expect(Object.keys(meta)).toHaveLength(20);
  });

  test('a merge patch obeys If-Match, validates the merged record and is 404 for a missing one', async () => {
    const { id } = await make('/contacts', { profile: { name: 'Ada' } });
    const { headers } = await product.admin.get(`/contacts/${id}`);
    const tag = headers.get('etag') ?? '';
    expect((await merge(`/contacts/${id}`, { meta: { a: 1 } }, { 'If-Match': '"other"' })).status).toBe(412);
    expect((await merge(`/contacts/${id}`, { meta: { a: 1 } }, { 'If-Match': tag })).status).toBe(200);
    expect((await merge(`/contacts/${id}`, { meta: { a: 2 } }, { 'If-Match': tag })).status).toBe(412);
    for (const bad of [{ profile: 'x' }, { profile: { name: 1 } }, [1], 'null', { meta: { 'a.b': 1 } }]) {
      expect((await merge(`/contacts/${id}`, bad)).status, JSON.stringify(bad)).toBe(400);
    }
    expect((await merge('/contacts/ffffffffffffffffffffffff', { meta: {} })).status).toBe(404);
  });
});
