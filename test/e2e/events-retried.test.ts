import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { client } from '../support/client.ts';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import type { KeyHolder } from '../support/shared-servers.ts';
import { setExpression, newEventType } from '../support/event-types.ts';
import { eventually } from '../support/eventually.ts';
import type { Product } from '../support/product.ts';

const EXPRESSION = '{"conversation": conversation, "messages": [{"text": text}]}';
const EVER = '2020-01-01';

/** Spec 8.3: retries of several business events by one request. */
describe('business events that are retried together', () => {
  let product: Product;
  let bot: KeyHolder;

  beforeAll(async () => {
    product = await sharedApi('events_retried');
    bot = await newUser(product, { role: 'bot' });
  });

  afterAll(() => product.close());

  const newConversation = async () => (await product.admin.post('/conversations', {})).body.id as string;
  const textsOf = async (conversation: string) =>
    (await bot.get(`/messages?conversation=${conversation}&sort=sequence&limit=1000`)).body.map(
      ({ text }: { text: string }) => text,
    ) as string[];
  const totalOf = async (query: string) =>
    Number((await bot.get(`/events?${query}&limit=1`)).headers.get('x-total'));
  const texts = (count: number, word: string) => Array.from({ length: count }, (_, at) => `${word} ${at}`);

  async function sendAll(name: string, conversation: string, all: string[], status: number): Promise<void> {
    for (const text of all)
      expect((await bot.post(`/events/${name}`, { conversation, text })).status).toBe(status);
  }

  test('business events that are retried together post once in order of arrival, and events that had not failed are not run again', async () => {
    const conversation = await newConversation();
    const type = await newEventType(product, 'mended', EXPRESSION);
    await sendAll('mended', conversation, ['before'], 200);
    await setExpression(product, type, '$error("broken")');
    const failed = texts(25, 'event');
    await sendAll('mended', conversation, failed, 422);
    await setExpression(product, type, EXPRESSION);
    const answer = await product.admin.post(`/eventtypes/${type}/retry`, { since: EVER });
    expect([answer.status, answer.body]).toEqual([202, { retried: 25 }]);
    await eventually(async () => (await totalOf('name=mended&status=processed')) === 26);
    expect(await textsOf(conversation)).toEqual(['before', ...failed]);
    const nothing = await product.admin.post(`/eventtypes/${type}/retry`, { since: EVER, status: 'failed' });
    expect([nothing.status, nothing.body]).toEqual([202, { retried: 0 }]);
  });

  test('business events that are retried together run once each, even behind an event that fails again', async () => {
    const conversation = await newConversation();
    const type = await newEventType(product, 'half.mended', '$error("broken")');
    await sendAll('half.mended', conversation, ['odd', 'fine', 'odd', 'fine'], 422);
    await setExpression(product, type, `text = "odd" ? $error("odd") : ${EXPRESSION}`);
    await product.admin.post(`/eventtypes/${type}/retry`, { since: EVER });
    await eventually(async () => (await totalOf('name=half.mended&status=processed')) === 2);
    await eventually(async () => {
      const { body } = await bot.get('/events?name=half.mended&status=failed');
      return body.length >= 2 && body.every(({ error }: any) => error.message.includes('odd'));
    });
    expect(await textsOf(conversation)).toEqual(['fine', 'fine']);
  });

  test('a retry of business events runs only events since a start time, and runs ignored events instead of failed events on request', async () => {
    const conversation = await newConversation();
    const type = await newEventType(product, 'ignored.first', 'undefined');
    await sendAll('ignored.first', conversation, ['early'], 200);
    await eventually(() => Date.now() % 50 === 0, { everyMs: 1 });
    const [{ createdAt }] = (await bot.get('/events?name=ignored.first')).body;
    const since = new Date(Date.parse(createdAt) + 1).toISOString();
    await sendAll('ignored.first', conversation, ['late'], 200);
    await setExpression(product, type, EXPRESSION);
    const retried = await product.admin.post(`/eventtypes/${type}/retry`, { since, status: 'ignored' });
    expect(retried.body).toEqual({ retried: 1 });
    await eventually(async () => (await textsOf(conversation)).includes('late'));
    expect(await textsOf(conversation)).toEqual(['late']);
  });

  test('business events that were sent before their event type existed are retried in order once the event type exists', async () => {
    const conversation = await newConversation();
    const sent = texts(5, 'unrouted');
    await sendAll('comes.later', conversation, sent, 404);
    const early = await bot.post('/events/retry', { name: 'comes.later', since: EVER });
    expect([early.status, early.body]).toEqual([202, { retried: 0 }]);
    expect(await totalOf('name=comes.later&status=unrouted')).toBe(5);
    await newEventType(product, 'comes.later', EXPRESSION);
    const answer = await bot.post('/events/retry', { name: 'comes.later', since: EVER });
    expect([answer.status, answer.body]).toEqual([202, { retried: 5 }]);
    await eventually(async () => (await totalOf('name=comes.later&status=processed')) === 5);
    expect(await textsOf(conversation)).toEqual(sent);
  });

  test.each<[string, string, (sender: KeyHolder) => Promise<unknown>]>([
    ['removed', 'has been removed', ({ user }) => product.admin.request('DELETE', `/users/${user}`)],
    [
      'viewer',
      'may not send events any more (role viewer)',
      ({ user }) => product.admin.request('PATCH', `/users/${user}`, { role: 'viewer' }),
    ],
  ])(
    'a retried business event fails and posts no message if its sender has lost the permission to send events: %s',
    async (state, words, change) => {
      const name = `sent.${state}`;
      const sender = await newUser(product, { role: 'bot' });
      const conversation = await newConversation();
      expect((await sender.post(`/events/${name}`, { conversation, text: 'late' })).status).toBe(404);
      await newEventType(product, name, EXPRESSION);
      await change(sender);
      const [{ id }] = (await bot.get(`/events?name=${name}`)).body;
      const one = await bot.post(`/events/${id}/retry`);
      expect([one.status, one.body.error?.message ?? one.body.message]).toEqual([
        422,
        `The user who sent the event ${words}. Send the event again with other credentials.`,
      ]);
      expect((await bot.get(`/events/${id}`)).body).toMatchObject({ status: 'failed', messages: [] });
      expect(await textsOf(conversation)).toEqual([]);
    },
  );

  test('a retried business event reaches only conversations that its sender could reach both when it was sent and when it is retried', async () => {
    const sender = await newUser(product, { role: 'bot' });
    const organization = (await product.admin.post('/organizations', { name: 'narrow' })).body.id;
    const conversation = await newConversation();
    const sent = await sender.post('/events/moved.down', { conversation, text: 'late' });
    expect(sent.status).toBe(404);
    await newEventType(product, 'moved.down', EXPRESSION);
    const moved = await product.admin.request('PATCH', `/users/${sender.user}`, { organization });
    expect(moved.status).toBe(200);
    const [{ id }] = (await bot.get('/events?name=moved.down')).body;
    expect((await bot.post(`/events/${id}/retry`)).status).toBe(422);
    expect(await textsOf(conversation)).toEqual([]);
  });

  test('a retry of business events requires scope admin, or scope bot for events by name, and a start time', async () => {
    const type = await newEventType(product, 'asked', EXPRESSION);
    const agent = await newUser(product, { role: 'agent' });
    const path = `/eventtypes/${type}/retry`;
    expect((await bot.post(path, { since: EVER })).status).toBe(403);
    expect((await agent.post('/events/retry', { name: 'asked', since: EVER })).status).toBe(403);
    expect((await client(product.base).post('/events/retry', { name: 'asked', since: EVER })).status).toBe(
      401,
    );
    for (const body of [{}, { since: 'soon' }, { since: 7 }, { since: EVER, status: 'processed' }])
      expect((await product.admin.post(path, body)).status, JSON.stringify(body)).toBe(400);
    for (const body of [{ since: EVER }, { name: 'asked' }, { name: '', since: EVER }])
      expect((await bot.post('/events/retry', body)).status, JSON.stringify(body)).toBe(400);
    const absent = '/eventtypes/ffffffffffffffffffffffff/retry';
    expect((await product.admin.post(absent, { since: EVER })).status).toBe(404);
    const organization = (await product.admin.post('/organizations', { name: 'below' })).body.id;
    const below = await newUser(product, { role: 'admin', organization });
    expect((await below.post(path, { since: EVER })).status).toBe(404);
    expect((await below.post('/events/retry', { name: 'comes.later', since: EVER })).body).toEqual({
      retried: 0,
    });
  });
});
