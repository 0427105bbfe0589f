import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import type { KeyHolder } from '../support/shared-servers.ts';
import type { Product } from '../support/product.ts';

const ABSENT = 'ffffffffffffffffffffffff';

/** Spec 5: changes to conversations by requests other than messages. */
describe('conversations', () => {
  let product: Product;
  let agent: KeyHolder;
  let viewer: KeyHolder;

  beforeAll(async () => {
    product = await sharedApi('conversation_changes');
    agent = await newUser(product, { role: 'agent' });
    viewer = await newUser(product, { role: 'viewer' });
    const categories = [
      { name: 'sales', forms: [] },
      { name: 'support', forms: [] },
    ];
    const meta = {
      links: { whatsapp: 'https://wa.example/{slug}', pigeon: 'https://pigeon.example/{slug}' },
    };
    await product.admin.request('PATCH', `/organizations/${product.organization}`, { categories, meta });
  });
  afterAll(() => product.close());

  const create = async (body: object = {}) =>
    (await product.admin.post('/conversations', body)).body as { id: string; slug: string };
  const patch = (id: string, body: unknown) => product.admin.request('PATCH', `/conversations/${id}`, body);

  test('PATCH of a conversation replaces each given field entirely and leaves the other fields unchanged', async () => {
    const [form, channel] = await Promise.all(
      ['/forms', '/channels'].map(
        async (path) => (await product.admin.post(path, { name: 'Address' })).body.id as string,
      ),
    );
    const { id } = await create({ name: 'before', language: 'nl', meta: { kept: 1, lost: { deep: true } } });
    const { status, body } = await patch(id, {
      name: 'after',
      meta: { found: 2 },
      status: 'active',
      participants: [{ user: agent.user, accepted: true }],
      touchpoints: { email: { services: ['mail'] } },
      forms: [{ form, name: 'Address' }],
      channels: [channel],
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...{ name: 'after', language: 'nl', status: 'active', channels: [channel] },
      touchpoints: { email: { services: ['mail'], selected: true } },
      forms: [{ form, name: 'Address', type: 'topic', values: {} }],
    });
    expect(body.meta).toEqual({ found: 2 });
    const flags = { unreadCount: 0, active: false, inbox: false };
    expect(body.participants).toMatchObject([{ user: agent.user, accepted: true, role: 'agent', ...flags }]);
    expect((await product.admin.get(`/conversations/${id}`)).body).toEqual(body);
  });

  test('PATCH takes the organization of a participant from the user, not from the body', async () => {
    const { id } = await create();
    const { id: elsewhere } = (await product.admin.post('/organizations', { name: 'elsewhere' })).body;
    const { status, headers, body } = await patch(id, {
      participants: [{ user: agent.user, organization: elsewhere }],
    });
    expect([status, body.participants[0].organization]).toEqual([200, product.organization]);
    expect(headers.get('x-ignored-fields')).toBe('participants.0.organization');
  });

  test('PATCH can close a conversation, and the next message of the contact queues the conversation again', async () => {
    const { id } = await create();
    await patch(id, { status: 'closed' });
    await product.admin.post('/messages', { conversation: id, text: 'again', role: 'contact' });
    expect((await product.admin.get(`/conversations/${id}`)).body.status).toBe('queued');
  });

  test('PATCH with null clears a field', async () => {
    const { id } = await create({ name: 'x', meta: { a: 1 }, category: 'sales', categoryIndex: 0 });
    const { body } = await patch(id, { name: null, meta: null, participants: null, category: null });
    expect(body).not.toHaveProperty('name');
    expect(body).not.toHaveProperty('category');
    expect(body).not.toHaveProperty('categoryIndex');
    expect([body.meta, body.participants]).toEqual([{}, []]);
  });

  test('PATCH keeps category and categoryIndex consistent', async () => {
    const { id } = await create();
    expect((await patch(id, { category: 'support' })).body).toMatchObject({ categoryIndex: 1 });
    expect((await patch(id, { categoryIndex: 0 })).body).toMatchObject({ category: 'sales' });
    const outOfList = await patch(id, { categoryIndex: 2 });
    expect([outOfList.status, outOfList.body.message]).toEqual([422, expect.stringContaining('out of')]);
  });

  test('POST derives category and categoryIndex from each other and rejects an index out of range', async () => {
    expect(await create({ category: 'support' })).toMatchObject({ category: 'support', categoryIndex: 1 });
    expect(await create({ categoryIndex: 1 })).toMatchObject({ category: 'support', categoryIndex: 1 });
    expect(await create({ category: 'unlisted' })).not.toHaveProperty('categoryIndex');
    const upsert = {
      ...{ organization: product.organization, type: 'contact', messages: [{ text: 'Hello' }] },
      contact: { profile: { email: 'categorized@example.com' } },
    };
    for (const body of [
      { categoryIndex: 2 },
      { category: 'sales', categoryIndex: 5 },
      { ...upsert, categoryIndex: 2 },
    ]) {
      const { status, body: refusal } = await product.admin.post('/conversations', body);
      expect([status, refusal.message]).toEqual([422, expect.stringContaining('out of')]);
    }
    expect((await product.admin.post('/conversations', { ...upsert, categoryIndex: 0 })).body).toMatchObject({
      category: 'sales',
    });
  });

  test('POST, upsert and PATCH reject a category that contradicts its categoryIndex', async () => {
    const { id } = await create({ category: 'support', categoryIndex: 1 });
    const upsert = {
      ...{ organization: product.organization, type: 'contact', messages: [{ text: 'Hello' }] },
      contact: { profile: { email: 'disagreeing@example.com' } },
    };
    for (const fields of [
      { category: 'sales', categoryIndex: 1 },
      { category: 'unlisted', categoryIndex: 0 },
    ]) {
      const answers = [
        await product.admin.post('/conversations', fields),
        await product.admin.post('/conversations', { ...upsert, ...fields }),
        await patch(id, fields),
      ];
      expect(answers.map(({ status }) => status)).toEqual([422, 422, 422]);
      expect(answers[0]!.body.details).toMatchObject([{ path: 'categoryIndex' }]);
    }
    expect((await patch(id, { category: 'sales', categoryIndex: null })).status).toBe(422);
    expect((await product.admin.get(`/conversations/${id}`)).body).toMatchObject({ categoryIndex: 1 });
    expect((await patch(id, { category: 'sales', categoryIndex: 0 })).body).toMatchObject({
      categoryIndex: 0,
    });
  });

  test.each<[number, string, unknown]>([
    [400, 'an invalid status', { status: 'asleep' }],
    [400, 'null as contact', { contact: null }],
    [400, 'a participant without user', { participants: [{ inbox: true }] }],
    [400, 'an invalid touchpoint', { touchpoints: { pigeon: { services: [] } } }],
    [400, 'an unsafe key of meta', '{"meta":{"__proto__":{"a":1}}}'],
    [
      400,
      'an unsafe key in the values of a form',
      { forms: [{ form: ABSENT, name: 'f', values: { $set: 1 } }] },
    ],
    [400, 'a form without name', { forms: [{ form: ABSENT }] }],
    [422, 'a participant who does not exist', { participants: [{ user: ABSENT }] }],
    [
      422,
      'open forms above 24 KiB',
      { forms: [{ form: ABSENT, name: 'f', values: { a: 'x'.repeat(30_000) } }] },
    ],
  ])('PATCH of a conversation responds %i to %s and changes nothing', async (expected, _, body) => {
    const { id } = await create({ name: 'same' });
    const before = (await product.admin.get(`/conversations/${id}`)).body;
    const { status, body: refusal } = await patch(id, body);
    expect([status, typeof refusal.message]).toEqual([expected, 'string']);
    expect((await product.admin.get(`/conversations/${id}`)).body).toEqual(before);
  });

  test('PATCH rejects a form with an invalid id', async () => {
    const { id } = await create();
    const refused = await patch(id, { forms: [{ form: 'the address', name: 'Address' }] });
    expect(refused).toMatchObject({ status: 400, body: { details: [{ path: 'forms.0.form' }] } });
    expect((await product.admin.get(`/conversations/${id}`)).body.forms).toEqual([]);
  });

  test('PATCH requires scope admin and an existing conversation', async () => {
    const { id } = await create();
    expect((await agent.request('PATCH', `/conversations/${id}`, { name: 'x' })).status).toBe(403);
    expect((await patch(ABSENT, { name: 'x' })).status).toBe(404);
  });

  test('PUT /conversations/{id}/read resets only the unread count of the caller', async () => {
    const { id } = await create();
    for (const by of [agent, product.admin]) {
      await by.post('/messages', { conversation: id, text: '/join', type: 'command' });
    }
    await product.admin.post('/messages', {
      conversation: id,
      text: 'hello',
      role: 'contact',
      user: viewer.user,
    });
    const counts = async () =>
      ((await product.admin.get(`/conversations/${id}`)).body.participants as { unreadCount: number }[]).map(
        ({ unreadCount }) => unreadCount,
      );
    expect(await counts()).toEqual([1, 1, 0]);
    const read = await agent.request('PUT', `/conversations/${id}/read`);
    expect([read.status, read.body]).toEqual([204, undefined]);
    expect(await counts()).toEqual([1, 0, 0]);
    expect((await agent.request('PUT', `/conversations/${id}/read`)).status).toBe(204);
    expect((await agent.request('PUT', `/conversations/${ABSENT}/read`)).status).toBe(404);
  });

  test('GET /links and GET /conversations/{id}/links return the addresses of the chat page and of the configured touchpoints', async () => {
    const { id, slug } = await create();
    const links = { web: `${product.origin}/c/${slug}`, whatsapp: `https://wa.example/${slug}` };
    expect((await agent.get(`/links?conversation=${id}`)).body).toEqual(links);
    expect((await agent.get(`/conversations/${id}/links`)).body).toEqual(links);
    expect((await agent.get('/links')).status).toBe(400);
    expect((await agent.get(`/links?conversation=${id}&other=1`)).status).toBe(400);
    expect((await agent.get(`/links?conversation=${ABSENT}`)).status).toBe(404);
  });

  test('guests reach only conversations that they participate in', async () => {
    const { id } = await create();
    const paths = [`/conversations/${id}`, `/conversations/${id}/links`, `/links?conversation=${id}`];
    for (const path of paths) expect((await viewer.get(path)).status).toBe(404);
    const post = () => viewer.post('/messages', { conversation: id, text: 'hi' });
    expect((await viewer.request('PUT', `/conversations/${id}/read`)).status).toBe(404);
    expect((await post()).status).toBe(404);
    await patch(id, { participants: [{ user: viewer.user }] });
    for (const path of paths) expect((await viewer.get(path)).status).toBe(200);
    expect((await post()).body).toMatchObject({ role: 'contact', isBackchannel: false });
    expect(
      (await viewer.post('/messages', { conversation: id, text: '/leave', type: 'command' })).status,
    ).toBe(403);
  });
});
