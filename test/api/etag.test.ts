import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROUTES } from '../../api/routes.ts';
import { sharedApi } from '../support/shared-servers.ts';
import { eventually } from '../support/eventually.ts';
import type { Product } from '../support/product.ts';
import { recordKinds } from '../support/record-kinds.ts';
import { createRecordHelpers } from '../support/records.ts';

/** Spec 2, `ETag`. */
describe('the entity tag of a record', () => {
  let product: Product;
  const { make, patch } = createRecordHelpers(() => product);

  beforeAll(async () => {
    product = await sharedApi('etag');
  });
  afterAll(() => product.close());

  const get = (path: string, headers = {}) => product.admin.request('GET', path, undefined, headers);
  const tagOf = async (path: string) => (await get(path)).headers.get('etag') ?? 'none';

  test('the entity tag of a record is in the responses to GET, HEAD, POST and PATCH of every kind of record that can be changed', async () => {
    const kinds = await recordKinds(product);
    const read = ROUTES.filter(({ method, path }) => method === 'PATCH' && path.endsWith('/:id'));
    expect(kinds.map(({ path }) => path).sort()).toEqual(
      read.map(({ path }) => path.replace('/:id', '')).sort(),
    );
    for (const kind of kinds) {
      const made = await product.admin.post(kind.path, kind.body);
      const at = `${kind.path}/${made.body.id}`;
      const first = await tagOf(at);
      expect(first, kind.path).toMatch(/^"[0-9a-f]{32}(-gzip|-br)?"$/);
      expect(made.headers.get('etag'), kind.path).toBe(first);
      expect((await product.admin.request('HEAD', at)).headers.get('etag'), kind.path).toBe(first);
      const changed = await patch(at, kind.patch);
      expect(changed.status, kind.path).toBe(200);
      expect(changed.headers.get('etag'), kind.path).not.toBe(first);
      expect(changed.headers.get('etag'), kind.path).toBe(await tagOf(at));
    }
  });

  test('the entity tag of a record stays the same while nothing changes', async () => {
    const { id } = await make('/conversations', { messages: [{ text: 'a' }, { text: 'b' }] });
    expect(await tagOf(`/conversations/${id}`)).toBe(await tagOf(`/conversations/${id}`));
  });

  test('the entity tag of a record causes 304 without a body in every notation of If-None-Match', async () => {
    const { id } = await make('/kbitems', { title: 'known' });
    const at = `/kbitems/${id}`;
    const etag = await tagOf(at);
    const known = [etag, `W/${etag}`, `"other", ${etag}`, `"a,b",W/"c" , W/${etag}`, '*'];
    for (const header of known) {
      for (const method of ['GET', 'HEAD']) {
        const answer = await product.admin.request(method, at, undefined, { 'If-None-Match': header });
        expect([answer.status, answer.body], `${method} ${header}`).toEqual([304, undefined]);
        expect(answer.headers.get('etag')).toBe(etag);
        expect(answer.headers.get('cache-control')).toBe('private, no-cache');
        expect(answer.headers.get('content-type')).toBeNull();
      }
    }
    for (const header of ['"other"', etag.slice(1, -1), `${etag.slice(0, -1)}x"`, '', ',', '"']) {
      expect((await get(at, { 'If-None-Match': header })).status, header).toBe(200);
    }
    await patch(at, { title: 'unknown' });
    expect((await get(at, { 'If-None-Match': etag })).status).toBe(200);
  });

  test('the entity tag of a record is sent only with a single record: lists and errors have no ETag, and If-None-Match does not turn them into 304', async () => {
    const { id } = await make('/conversations', {});
    for (const path of [
      '/users',
      '/users?limit=1',
      '/conversations/search?q=x',
      `/links?conversation=${id}`,
    ]) {
      const { status, headers } = await get(path, { 'If-None-Match': '*' });
      expect([status, headers.get('etag')], path).toEqual([200, null]);
    }
    const gone = await get('/users/ffffffffffffffffffffffff', { 'If-None-Match': '*' });
    expect([gone.status, gone.headers.get('etag')]).toEqual([404, null]);
    const list = await product.admin.post(`/conversations/${id}/messages`, [{ text: 'a' }]);
    expect([list.status, list.headers.get('etag')]).toEqual([201, null]);
  });

  test('the entity tag of a record differs for each representation', async () => {
    const form = await make('/forms', { name: 'F' });
    const { id } = await make('/organizations', { name: 'O', categories: [{ name: 'c', forms: [form.id] }] });
    const queries = ['', '?select=name', '?select=-name', '?populate=categories.forms', '?populate=parent'];
    const tags = await Promise.all(queries.map((query) => tagOf(`/organizations/${id}${query}`)));
    expect(new Set(tags).size).toBe(queries.length);
    const populated = `/organizations/${id}?populate=categories.forms`;
    await patch(`/forms/${form.id}`, { name: 'G' });
    expect(await tagOf(populated)).not.toBe(tags[3]);
    expect(await tagOf(`/organizations/${id}`)).toBe(tags[0]);
  });

  test('the entity tags of a conversation and its contact change when a field message changes the contact', async () => {
    const { id, contact } = await make('/conversations', {
      organization: product.organization,
      contact: { profile: { email: 'tag@example.com' } },
      messages: [{ text: 'hello' }],
    });
    const before = [await tagOf(`/conversations/${id}`), await tagOf(`/contacts/${contact}`)];
    await make('/messages', { conversation: id, type: 'field', text: '.givenName Ada' });
    const after = [await tagOf(`/conversations/${id}`), await tagOf(`/contacts/${contact}`)];
    expect(after[0]).not.toBe(before[0]);
    expect(after[1]).not.toBe(before[1]);
  });

  test('the entity tag of a delayed message changes when the message is processed', async () => {
    const { id: conversation } = await make('/conversations', {});
    const { id } = await make('/messages', { conversation, text: 'later', delay: 600_000 });
    const before = await tagOf(`/messages/${id}`);
    await product.admin.post(`/conversations/${conversation}/hurry`, {});
    await eventually(async () => (await get(`/messages/${id}`)).body.sequence === 1);
    expect(await tagOf(`/messages/${id}`)).not.toBe(before);
  });
});
