import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import type { KeyHolder } from '../support/shared-servers.ts';
import type { Product } from '../support/product.ts';

const ABSENT = 'ffffffffffffffffffffffff';

/** Spec 6.3. */
describe('messages', () => {
  let product: Product;
  let bot: KeyHolder;
  let conversation: string;

  beforeAll(async () => {
    product = await sharedApi('messages');
    bot = await newUser(product, { role: 'bot' });
    conversation = (await bot.post('/conversations', {})).body.id;
  });
  afterAll(() => product.close());

  const upsert = (email: string) =>
    bot.post('/conversations', {
      organization: product.organization,
      contact: { profile: { email } },
      messages: [{ text: 'hi', role: 'contact' }],
    });

  test('messages have the specified defaults and a location', async () => {
    const { status, body, headers } = await bot.post('/messages', { conversation, text: 'hello' });
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`${product.base}/messages/${body.id}`);
    expect(body).toMatchObject({ type: 'chat', role: 'bot', touchpoint: 'web', isBackchannel: true });
    const { status: found, body: again } = await bot.get(`/messages/${body.id}`);
    expect([found, again]).toEqual([200, body]);
  });

  test.each([
    ['an invalid touchpoint', { touchpoint: 'pigeon' }],
    ['a touchpoint that messages do not have', { touchpoint: 'video' }],
    ['an invalid serviceType', { serviceType: 'pigeon' }],
    ['a delay that is no number', { delay: '5' }],
    ['a meta that is no object', { meta: [] }],
    ['an action without its text', { actions: [{ type: 'reply', payload: 'x' }] }],
  ])('messages with %s are rejected with 400', async (_, field) => {
    expect((await bot.post('/messages', { conversation, text: 'x', ...field })).status).toBe(400);
  });

  test('each message of a request is validated, with all errors in one response', async () => {
    const { body } = await bot.post(`/conversations/${conversation}/messages`, [
      { text: 'good' },
      { text: 'bad', type: 'shout', items: [{ title: 1 }] },
    ]);
    const details = body.details as { path: string }[];
    expect(details.map(({ path }) => path).sort()).toEqual(['1.items.0.title', '1.type']);
  });

  test('messages are rejected if their events would repeat too much of a large conversation', async () => {
    await product.admin.post('/services', {
      ...{ name: 'receiver', type: 'webhook' },
      params: { url: 'http://192.0.2.1/', events: ['message.create'] },
    });
    const meta = { note: 'x'.repeat(16_000) };
    const { body: large } = await product.admin.post('/conversations', {
      name: '\u{1F600}'.repeat(240),
      meta,
    });
    const send = (messages: object[]) => product.admin.post(`/conversations/${large.id}/messages`, messages);
    const formName = 'x'.repeat(200);
    const forms = Array.from({ length: 100 }, () => product.admin.post('/forms', { name: formName }));
    const results = (await Promise.all(forms)).map(({ body: { id } }) => ({ form: id, formName }));
    const completing = { type: 'results', text: 'done', results };
    expect((await send([completing, completing, completing])).status).toBe(201);
    const commands = Array.from({ length: 100 }, () => ({ type: 'command', text: '/set language nl' }));
    const { status, body } = await send(commands);
    expect([status, body.error.message]).toEqual([
      422,
      expect.stringMatching(/^messages: 100 messages are too many/),
    ]);
    const most = Number(/Send at most (\d+) messages/.exec(body.error.message)?.[1]);
    expect(most).toBeGreaterThan(45);
    expect((await send(commands.slice(0, most))).status).toBe(201);
  });

  test('a bot can name another existing user as the sender of a message, and an agent cannot', async () => {
    const agent = await newUser(product, { role: 'agent' });
    const said = await bot.post('/messages', { conversation, text: 'as agent', user: agent.user });
    expect(said.body).toMatchObject({ user: agent.user, createdBy: bot.user });
    expect((await bot.post('/messages', { conversation, text: 'x', user: ABSENT })).status).toBe(422);
    const pretending = { conversation, text: 'x', user: bot.user };
    expect((await agent.post('/messages', pretending)).status).toBe(403);
  });

  test('delayed messages are listed only with the filter processedAt=! or with a filter on their ids', async () => {
    const { body } = await bot.post('/messages', { conversation, text: 'later', delay: 600_000 });
    const listed = await bot.get(`/messages?conversation=${conversation}&limit=1000`);
    expect(JSON.stringify(listed.body)).not.toContain(body.id);
    const waiting = await bot.get(`/messages?conversation=${conversation}&processedAt=!`);
    expect(waiting.body).toMatchObject([{ id: body.id, delay: 600_000 }]);
    expect((await bot.get(`/messages?id=${body.id}`)).body).toHaveLength(1);
    expect(waiting.body[0]).not.toHaveProperty('delayed');
  });

  test('a message cannot give a contact the email of another contact', async () => {
    await upsert('taken@example.com');
    const mine = await upsert('mine@example.com');
    const text = '.email Taken@example.com';
    const post = await bot.post('/messages', { conversation: mine.body.id, type: 'field', text });
    expect([post.status, post.body.code]).toEqual([409, 'conflict']);
  });

  test('messages can be listed only with one of the required filters, such as type, role or organization', async () => {
    expect((await bot.get('/messages')).status).toBe(400);
    expect((await bot.get('/messages?text=x')).status).toBe(400);
    for (const query of ['type=chat', 'role=bot', `organization=${product.organization}`]) {
      expect((await bot.get(`/messages?${query}`)).status).toBe(200);
    }
  });
});
