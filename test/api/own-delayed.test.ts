import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import type { KeyHolder } from '../support/shared-servers.ts';
import { client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import type { Product } from '../support/product.ts';

const HOUR_MS = 3_600_000;

/** Spec 6.4. */
describe('a delayed message of one’s own', () => {
  let product: Product;
  let bot: KeyHolder;
  let agent: KeyHolder;
  let conversation: string;

  beforeAll(async () => {
    product = await sharedApi('own_delayed');
    [bot, agent] = await Promise.all([
      newUser(product, { role: 'bot' }),
      newUser(product, { role: 'agent' }),
    ]);
  });
  afterAll(() => product.close());
  beforeEach(async () => {
    conversation = (await product.admin.post('/conversations', {})).body.id;
  });

  const later = (ms: number) => new Date(Date.now() + ms).toISOString();
  const post = async (by: KeyHolder, body: object) => {
    const { status, body: message } = await by.post(`/conversations/${conversation}/messages`, {
      text: 'Reminder',
      ...body,
    });
    expect(status).toBe(201);
    return message;
  };
  const waiting = async () =>
    (await product.admin.get(`/messages?conversation=${conversation}&processedAt=!`)).body;
  const processed = async (): Promise<{ id: string; text: string }[]> =>
    (await product.admin.get(`/messages?conversation=${conversation}`)).body;
  const hurry = () => product.admin.post(`/conversations/${conversation}/hurry`, {});

  test('a bot can take back what it has scheduled', async () => {
    const { id } = await post(bot, { delay: HOUR_MS });
    expect((await bot.request('DELETE', `/messages/${id}`)).status).toBe(204);
    expect((await bot.get(`/messages/${id}`)).status).toBe(404);
    const again = await bot.request('DELETE', `/messages/${id}`);
    expect([again.status, again.body.code], 'a bot that was killed repeats it').toEqual([404, 'not_found']);
    await hurry();
    expect([await waiting(), await processed()]).toEqual([[], []]);
  });

  test('an author moves a message that waits, later and to now, and sees its time', async () => {
    const { id, delay } = await post(agent, { delay: HOUR_MS, role: 'agent' });
    expect(delay).toBe(HOUR_MS);
    const at = later(2 * HOUR_MS);
    const moved = await agent.request('PATCH', `/messages/${id}`, { sendAt: at });
    expect([moved.status, moved.body.sendAt, moved.body.delay]).toEqual([200, at, undefined]);
    expect(await waiting()).toMatchObject([{ id, sendAt: at }]);
    expect((await agent.request('PATCH', `/messages/${id}`, { delay: 0 })).status).toBe(200);
    await eventually(async () => (await processed()).some((one) => one.id === id));
  });

  test('sendAt posts a message at its time', async () => {
    const { id, sendAt } = await post(bot, { sendAt: later(300) });
    expect(Date.parse(sendAt)).toBeGreaterThan(0);
    const [message] = await eventually(async () => {
      const all = await processed();
      return all.length > 0 && all;
    });
    expect(message).toMatchObject({ id, sendAt });
    expect((await bot.get(`/messages/${id}`)).body.processedAt >= sendAt).toBe(true);
  });

  test('a message that is processed is neither cancelled nor moved by its author (409)', async () => {
    const { id } = await post(bot, {});
    const answers = [
      await bot.request('DELETE', `/messages/${id}`),
      await bot.request('PATCH', `/messages/${id}`, { sendAt: later(HOUR_MS) }),
    ];
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [409, 'conflict'],
      [409, 'conflict'],
    ]);
    expect(await processed()).toHaveLength(1);
  });

  test('callers cannot cancel or move the delayed messages of others, nor learn whether they exist', async () => {
    const { id } = await post(bot, { delay: HOUR_MS });
    const guest = await newUser(product, { role: 'viewer' });
    const weak = await product.admin.post(`/users/${bot.user}/apikeys`, { name: 'weak', scopes: ['guest'] });
    const callers = [guest, agent, client(product.base, weak.body.token)];
    for (const caller of callers) {
      for (const target of [id, 'ffffffffffffffffffffffff']) {
        const cancelled = await caller.request('DELETE', `/messages/${target}`);
        const moved = await caller.request('PATCH', `/messages/${target}`, { delay: 0 });
        expect([cancelled.status, moved.status]).toEqual([403, 403]);
      }
    }
    const other = await newUser(product, { role: 'bot' });
    expect((await other.request('DELETE', `/messages/${id}`)).status).toBe(403);
    expect(await waiting()).toHaveLength(1);
  });

  test('an agent moves a message but does not rewrite it, and a guest cancels their own message', async () => {
    const { id } = await post(agent, { delay: HOUR_MS, role: 'agent' });
    expect((await agent.request('PATCH', `/messages/${id}`, { text: 'Anew' })).status).toBe(403);
    const guest = await newUser(product, { role: 'viewer' });
    await product.admin.request('PATCH', `/conversations/${conversation}`, {
      participants: [{ user: guest.user }],
    });
    const own = await post(guest, { delay: HOUR_MS });
    expect((await guest.request('PATCH', `/messages/${own.id}`, { delay: 2 * HOUR_MS })).status).toBe(200);
    expect((await guest.request('DELETE', `/messages/${own.id}`)).status).toBe(204);
    expect(await waiting()).toMatchObject([{ id, text: 'Reminder' }]);
  });

  test.each([
    [{ delay: 1000, sendAt: '2026-03-14T09:00:00Z' }],
    [{ sendAt: 'soon' }],
    [{ sendAt: '2020-01-01T00:00:00Z' }],
    [{ sendAt: '9999-01-01T00:00:00Z' }],
    [{ sendAt: null }],
    [{ delay: -1 }],
    [{ text: ' ' }],
  ])('a change of a delayed message to %j is refused, and the message waits as before', async (change) => {
    const { id } = await post(bot, { delay: HOUR_MS });
    const before = await waiting();
    expect((await bot.request('PATCH', `/messages/${id}`, change)).status).toBe(400);
    expect(await waiting()).toEqual(before);
  });

  test('a repeated request does not move the time of a message', async () => {
    const body = { text: 'Reminder', sendAt: later(HOUR_MS), externalId: 'reminder-7' };
    const path = `/conversations/${conversation}/messages`;
    const first = await bot.post(path, body);
    const again = await bot.post(path, { ...body, sendAt: later(2 * HOUR_MS) });
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(again.headers.get('x-hint'), 'a bot may believe that it moved the message').toContain('PATCH');
    expect((await bot.post(path, body)).headers.get('x-hint')).toBeNull();
    const keyed = () =>
      bot.post(path, { text: 'Keyed', delay: HOUR_MS }, { 'Idempotency-Key': conversation });
    const [one, two] = [await keyed(), await keyed()];
    expect(two.body).toEqual(one.body);
    expect(await waiting()).toHaveLength(2);
  });

  test('a message that is cancelled at the moment it is due is either sent or cancelled, never both', async () => {
    const due = later(400);
    const posted = await Promise.all(
      Array.from({ length: 12 }, (_, n) => post(bot, { text: `${n}`, sendAt: due })),
    );
    await eventually(() => Date.now() >= Date.parse(due) - 20, { everyMs: 2 });
    const cancelled = await Promise.all(
      posted.map(async ({ id }) => ({ id, status: (await bot.request('DELETE', `/messages/${id}`)).status })),
    );
    await eventually(async () => (await waiting()).length === 0);
    const sent = new Set((await processed()).map(({ id }) => id));
    for (const { id, status } of cancelled) expect([id, status]).toEqual([id, sent.has(id) ? 409 : 204]);
  });
});
