import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import type { KeyHolder } from '../support/shared-servers.ts';
import { firstArrivals } from '../support/arrivals.ts';
import { eventually } from '../support/eventually.ts';
import type { Product } from '../support/product.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { listen } from '../support/stream.ts';

const ABSENT = 'ffffffffffffffffffffffff';

/** Spec 6.3: PATCH and DELETE of single messages. */
describe('stored messages', () => {
  let product: Product;
  let bot: KeyHolder;
  let receiver: Receiver;
  let conversation: string;

  beforeAll(async () => {
    product = await sharedApi('message_changes');
    bot = await newUser(product, { role: 'bot' });
    receiver = await startReceiver();
    const params = { url: receiver.url };
    await product.admin.post('/services', { name: 'witness', type: 'webhook', params });
  });
  afterAll(async () => {
    await product.close();
    await receiver.close();
  });
  beforeEach(async () => {
    conversation = (await product.admin.post('/conversations', {})).body.id;
  });
  afterEach(() => {
    receiver.received.length = 0;
  });

  const post = async (body: object) =>
    (await product.admin.post('/messages', { conversation, ...body })).body;
  const patch = (id: string, body: unknown) => bot.request('PATCH', `/messages/${id}`, body);
  const remove = (id: string) => product.admin.request('DELETE', `/messages/${id}`);
  const postAll = async (texts: string[]) =>
    (
      await product.admin.post(
        `/conversations/${conversation}/messages`,
        texts.map((text) => ({ text })),
      )
    ).body;
  const hear = (lastEventId: string) =>
    listen(`${product.base}/conversations/${conversation}/stream`, { token: product.token, lastEventId });
  const events = (name: string) =>
    firstArrivals(receiver)
      .map(({ json }) => json)
      .filter(({ event }) => event.startsWith(name));

  test('stored messages are changed by PATCH, keep their sequence, and cause message.update', async () => {
    const { id } = await post({
      text: 'before',
      meta: { a: 1 },
      actions: [{ type: 'link', text: 'go', uri: 'https://x.example' }],
    });
    const { status, body } = await patch(id, { text: 'after', meta: { b: 2 }, actions: null });
    expect([status, body]).toMatchObject([200, { id, text: 'after', sequence: 1 }]);
    expect(body.meta).toEqual({ b: 2 });
    expect(body).not.toHaveProperty('actions');
    expect((await bot.get(`/messages/${id}`)).body).toEqual(body);
    const [event] = await eventually(() => events('message.update').length > 0 && events('message.update'));
    expect(event).toMatchObject({ event: 'message.update.bot.chat', data: { message: body } });
  });

  test('a stored command is not executed again when it is edited', async () => {
    const { id } = await post({ type: 'command', text: '/set name first' });
    expect((await patch(id, { text: '/set name second' })).status).toBe(200);
    expect((await product.admin.get(`/conversations/${conversation}`)).body.name).toBe('first');
  });

  test.each<[number, string, unknown]>([
    [400, 'no text', { text: '' }],
    [400, 'a text that is cleared', { text: null }],
    [400, 'an unsafe key', '{"meta":{"constructor":1}}'],
    [400, 'an item without title', { items: [{}] }],
    [
      422,
      'mixed actions',
      {
        actions: [
          { type: 'locationRequest', text: 'l' },
          { type: 'link', text: 'g', uri: 'u' },
        ],
      },
    ],
  ])('PATCH of a stored message responds %i to %s and changes nothing', async (expected, _, body) => {
    const { id } = await post({ text: 'same' });
    const before = (await bot.get(`/messages/${id}`)).body;
    expect((await patch(id, body)).status).toBe(expected);
    expect((await bot.get(`/messages/${id}`)).body).toEqual(before);
  });

  test('stored messages reject invisible text, on creation and on change', async () => {
    const { id } = await post({ text: 'seen' });
    for (const text of [' ', '\u3164']) {
      const edited = await patch(id, { text });
      expect([edited.status, edited.body.message]).toEqual([400, 'text: must have a visible character']);
      expect((await post({ text })).message).toBe('text: must have a visible character');
    }
    const actions = [{ type: 'reply', text: '\u2800', payload: 'x' }];
    expect((await patch(id, { actions })).body.message).toBe('actions.0.text: must have a visible character');
  });

  test('a stored message of a type without items rejects items with 422', async () => {
    const { id } = await post({ type: 'status', text: 'ok' });
    expect((await patch(id, { items: [{ title: 'x' }] })).status).toBe(422);
  });

  test('a repeated externalId with another text says that the new text is not posted', async () => {
    const path = `/conversations/${conversation}/messages`;
    const body = { text: 'Hello', externalId: 'e-3', delay: 0 };
    const first = await bot.post(path, body);
    const again = await bot.post(path, { ...body, delay: 1 });
    expect([again.status, again.body, again.headers.get('x-hint')]).toEqual([200, first.body, null]);
    const changed = await bot.post(path, [{ text: 'new' }, { ...body, text: 'Hello again' }]);
    expect(changed.body).toMatchObject([{ text: 'new' }, first.body]);
    expect(changed.headers.get('x-hint')).toContain('The text of this request is not posted');
    const contact = { profile: { email: 'changed-text@example.com' } };
    const upsert = (text: string) =>
      product.admin.post('/conversations', { type: 'contact', contact, messages: [{ ...body, text }] });
    expect((await upsert('one')).headers.get('x-hint')).toBeNull();
    expect((await upsert('one')).headers.get('x-hint')).toBeNull();
    expect((await upsert('two')).headers.get('x-hint')).toContain('another text');
  });

  test('stored messages are removed by DELETE, and their sequence is not reused', async () => {
    const { id } = await post({ text: 'secret', externalId: 'e-1' });
    expect((await remove(id)).status).toBe(204);
    expect((await remove(id)).status).toBe(404);
    expect((await bot.get(`/messages/${id}`)).status).toBe(404);
    expect((await patch(id, { text: 'x' })).status).toBe(404);
    expect((await bot.get(`/messages?conversation=${conversation}`)).body).toEqual([]);
    expect((await bot.get(`/messages?id=${id}`)).body).toEqual([]);
    expect((await bot.get(`/messages?conversation=${conversation}&processedAt=!`)).body).toEqual([]);
    expect((await bot.get(`/conversations/${conversation}`)).body.messages).toEqual([]);
    const next = await post({ text: 'next', externalId: 'e-1' });
    expect(next).toMatchObject({ sequence: 2, text: 'next' });
    const [event] = await eventually(() => events('message.delete').length > 0 && events('message.delete'));
    expect(event).toMatchObject({
      event: 'message.delete.bot.chat',
      data: { message: { id, text: 'secret' } },
    });
  });

  test('delayed messages can be changed, and the change is validated', async () => {
    const { id } = await post({ type: 'command', text: '/set name early', delay: 600_000 });
    expect((await patch(id, { text: '/set status asleep' })).status).toBe(422);
    expect((await patch(id, { text: '/set name late' })).status).toBe(200);
    expect(events('message.update')).toEqual([]);
    await product.admin.post(`/conversations/${conversation}/hurry`, {});
    const named = async () => (await product.admin.get(`/conversations/${conversation}`)).body.name;
    expect(await eventually(named)).toBe('late');
  });

  test('delayed messages keep their content when their sender is deleted', async () => {
    const sender = await newUser(product, { role: 'bot' });
    const later = { conversation, text: 'promised', delay: 600_000 };
    expect((await sender.post('/messages', later)).status).toBe(201);
    expect((await product.admin.request('DELETE', `/users/${sender.user}`)).status).toBe(204);
    const { organization } = (await product.admin.get(`/conversations/${conversation}`)).body;
    const query = `organization=${organization}&user=${sender.user}&processedAt=!`;
    const waiting = await product.admin.get(`/messages?${query}`);
    expect(waiting.body).toMatchObject([{ text: 'promised' }]);
    await product.admin.post(`/conversations/${conversation}/hurry`, {});
    const come = async () => (await bot.get(`/messages?conversation=${conversation}`)).body;
    await eventually(async () => (await come())[0]?.text === 'promised');
  });

  test('delayed messages are cancelled by DELETE', async () => {
    const { id } = await post({ text: 'never', delay: 600_000, externalId: 'e-2' });
    await post({ text: 'behind', delay: 600_000 });
    expect((await remove(id)).status).toBe(204);
    const below = await bot.get(
      `/messages?conversation=${conversation}&id=>000000000000000000000000&sort=id`,
    );
    expect(below.body.every((one: { processedAt?: string }) => one.processedAt !== undefined)).toBe(true);
    expect((await bot.get(`/messages?conversation=${conversation}&processedAt=!`)).body).toHaveLength(1);
    await product.admin.post(`/conversations/${conversation}/hurry`, {});
    const all = async () => (await bot.get(`/messages?conversation=${conversation}`)).body;
    const [behind] = await eventually(async () => (await all()).length > 0 && (await all()));
    expect(behind).toMatchObject({ text: 'behind', sequence: 1 });
    expect(events('message.delete')).toEqual([]);
    expect(await post({ text: 'anew', externalId: 'e-2' })).toMatchObject({ text: 'anew' });
  });

  test('PATCH of a stored message requires scope bot, DELETE requires scope admin, and an absent message is 404', async () => {
    const { id } = await post({ text: 'x' });
    const agent = await newUser(product, { role: 'agent' });
    expect((await agent.request('PATCH', `/messages/${id}`, { text: 'y' })).status).toBe(403);
    expect((await bot.request('DELETE', `/messages/${id}`)).status).toBe(403);
    expect((await patch(ABSENT, { text: 'y' })).status).toBe(404);
    expect((await remove(ABSENT)).status).toBe(404);
  });

  test('stored messages are sent to streams again after an edit, and as deleted after DELETE', async () => {
    const [one, two] = await postAll(['one', 'two']);
    const listener = await hear('0');
    await listener.until(({ data }) => data.text === 'two');
    const edited = await patch(one.id, { text: 'uno' });
    const changed = await listener.until(({ data }) => data.text === 'uno');
    expect(changed).toEqual({ event: 'message', id: undefined, data: edited.body });
    await remove(two.id);
    const gone = await listener.until(({ data }) => data.deletedAt !== undefined);
    expect(gone.event).toBe('message');
    expect(gone.data).toEqual({ id: two.id, sequence: 2, deletedAt: expect.any(String) });
    await post({ text: 'three' });
    await listener.until(({ data }) => data.text === 'three');
    expect(listener.texts()).toEqual(['one', 'two', 'uno', undefined, 'three']);
    await listener.close();
  });

  test('stored messages that changed during a disconnection are sent once on reconnection', async () => {
    const all = await postAll(Array.from({ length: 30 }, (_, at) => `${at + 1}`));
    const listener = await hear('0');
    await listener.until(({ event }) => event === 'conversation');
    await listener.close();
    for (const { id, text } of all.slice(0, 25)) await patch(id, { text: `${text} anew` });
    await remove(all[25].id);
    const { id: late } = await post({ text: 'late' });
    await patch(late, { text: 'later' });
    const again = await hear(listener.heard.findLast(({ id }) => id !== undefined)?.id ?? '');
    await again.until(({ event }) => event === 'conversation');
    await again.close();
    const anew = all.slice(0, 25).map(({ text }: { text: string }) => `${text} anew`);
    expect(again.texts()).toEqual(['later', ...anew, undefined]);
    const third = await hear(again.heard.findLast(({ id }) => id !== undefined)?.id ?? '');
    await third.until(({ event }) => event === 'conversation');
    await third.close();
    expect(third.texts()).toEqual([]);
  });

  test('stored messages that changed after the given sequence are sent to a stream that resumes by sequence', async () => {
    const [old, edited, deleted] = await postAll(['old', 'edited', 'deleted']);
    await patch(old.id, { text: 'edited before' });
    await post({ text: 'last' });
    await patch(edited.id, { text: 'edited since' });
    await remove(deleted.id);
    await post({ text: 'new' });
    const knowing = await hear('4');
    await knowing.until(({ event }) => event === 'conversation');
    await knowing.close();
    expect(knowing.heard.filter(({ event }) => event === 'message').map(({ data }) => data)).toEqual([
      expect.objectContaining({ text: 'new' }),
      expect.objectContaining({ id: edited.id, text: 'edited since' }),
      { id: deleted.id, sequence: 3, deletedAt: expect.any(String) },
    ]);
    const fresh = await hear('0');
    await fresh.until(({ event }) => event === 'conversation');
    await fresh.close();
    expect(fresh.texts()).toEqual(['edited before', 'edited since', 'last', 'new']);
  });
});
