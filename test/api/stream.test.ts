import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUser, secondSharedApi, sharedApi } from '../support/shared-servers.ts';
import { whileTokenLasts } from '../support/brief-token.ts';
import { eventually } from '../support/eventually.ts';
import { startLoneApi } from '../support/product.ts';
import type { Product } from '../support/product.ts';
import { listen } from '../support/stream.ts';
import type { StreamListener } from '../support/stream.ts';

let product: Product;
let second: { base: string };
const listeners: StreamListener[] = [];

beforeAll(async () => {
  product = await sharedApi('stream');
  second = await secondSharedApi();
});

afterAll(async () => {
  await Promise.all(listeners.map((one) => one.close()));
  await product.close();
});

async function newConversation(): Promise<{ id: string; slug: string }> {
  return (await product.admin.post('/conversations', { type: 'contact' })).body;
}

async function hear(
  id: string,
  {
    base = product.base,
    token = product.token,
    query = '',
    ...options
  }: { base?: string; token?: string; query?: string; lastEventId?: string } = {},
): Promise<StreamListener> {
  const listener = await listen(`${base}/conversations/${id}/stream${query}`, { token, ...options });
  listeners.push(listener);
  return listener;
}

function say(id: string, text: string, fields: object = {}) {
  return product.admin.post(`/conversations/${id}/messages`, { text, ...fields });
}

describe('the stream of a conversation', () => {
  test('the stream of a conversation starts with the current conversation and sends each new message with its sequence', async () => {
    const { id } = await newConversation();
    await say(id, 'before');
    const listener = await hear(id);
    expect(listener.status).toBe(200);
    expect(listener.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const first = await listener.until(({ event }) => event === 'conversation');
    expect(first.data).toMatchObject({ id, status: 'queued' });
    expect(first.data).not.toHaveProperty('commit');
    expect(first.data).not.toHaveProperty('pending');
    const posted = await say(id, 'hello\nthere');
    const { data, id: number } = await listener.until(({ event }) => event === 'message');
    expect(data).toEqual(posted.body);
    expect(number).toMatch(/^2-\d+$/);
    await say(id, '/set status closed', { type: 'command' });
    await listener.until(({ event, data: { status } }) => event === 'conversation' && status === 'closed');
  });

  // stream-times.test.ts covers the polling rate.
  test('the stream of a conversation sends the messages that another process accepted, one by one', async () => {
    const { id } = await newConversation();
    const listener = await hear(id, { base: second.base });
    await listener.until(({ event }) => event === 'conversation');
    for (const text of ['across 1', 'across 2', 'across 3']) {
      await say(id, text);
      await listener.until(({ data }) => data.text === text);
    }
    expect(listener.texts()).toEqual(['across 1', 'across 2', 'across 3']);
  });

  test('the stream of a conversation resumes after Last-Event-ID without loss or duplicates, also within a burst and at another process', async () => {
    const { id } = await newConversation();
    const heard: string[] = [];
    const posting = (async () => {
      for (let burst = 0; burst < 12; burst++) {
        const messages = Array.from({ length: 5 }, (_, at) => ({ text: `${burst * 5 + at + 1}` }));
        await product.admin.post(`/conversations/${id}/messages`, messages);
      }
    })();
    let lastEventId = '0';
    for (let turn = 0; heard.length < 60; turn++) {
      const listener = await hear(id, { base: turn % 2 ? second.base : product.base, lastEventId });
      await listener.until(({ event }) => event === 'message');
      await listener.close();
      heard.push(...listener.texts());
      lastEventId = listener.heard.findLast(({ event }) => event === 'message')?.id ?? lastEventId;
    }
    await posting;
    expect(heard).toEqual(Array.from({ length: 60 }, (_, at) => `${at + 1}`));
  });

  test('the stream of a conversation starts after the sequence in the query', async () => {
    const { id } = await newConversation();
    await product.admin.post(`/conversations/${id}/messages`, [{ text: 'one' }, { text: 'two' }]);
    const listener = await hear(id, { query: '?after=1' });
    await listener.until(({ data }) => data.text === 'two');
    expect(listener.texts()).toEqual(['two']);
    for (const query of ['?after=x', '?after=-1', '?after=1&after=2', '?from=1']) {
      expect((await product.admin.get(`/conversations/${id}/stream${query}`)).status).toBe(400);
    }
  });

  test('the stream of a conversation skips the sequence of a deleted message without waiting', async () => {
    const { id } = await newConversation();
    const { body } = await product.admin.post(`/conversations/${id}/messages`, [
      { text: 'a' },
      { text: 'b' },
    ]);
    await say(id, 'c');
    const gone = await product.admin.request('DELETE', `/messages/${body[1].id}`);
    expect(gone.status).toBe(204);
    const listener = await hear(id, { lastEventId: '0' });
    await listener.until(({ data }) => data.text === 'c');
    expect(listener.texts()).toEqual(['a', 'c']);
  });

  test('the stream of a conversation shows typing while a delayed chat message waits, and shows when typing ends', async () => {
    const { id } = await newConversation();
    const listener = await hear(id);
    await listener.until(({ event }) => event === 'conversation');
    const { body } = await say(id, 'soon', { delay: 600_000 });
    const { data } = await listener.until(({ event }) => event === 'typing');
    expect(data).toEqual({
      conversation: id,
      typing: [{ message: body.id, user: body.user, role: 'bot', until: expect.any(String) }],
    });
    expect((await product.admin.post(`/conversations/${id}/hurry`, { message: body.id })).status).toBe(200);
    await listener.until((one) => one.event === 'typing' && one.data.typing.length === 0);
    expect(listener.texts()).toEqual(['soon']);
  });

  test('the stream of a conversation sends guests neither backchannel messages nor typing for such messages', async () => {
    const guest = await newUser(product, { role: 'viewer' });
    const { id } = await newConversation();
    await say(id, '/assign', { type: 'command', meta: { users: [guest.user] } });
    const listener = await hear(id, { token: guest.token });
    await say(id, 'secret', { isBackchannel: true });
    await say(id, 'secret later', { isBackchannel: true, delay: 1000 });
    const { body: hidden } = await say(id, 'secret soon gone', { isBackchannel: true });
    await product.admin.request('PATCH', `/messages/${hidden.id}`, { text: 'secret otherwise' });
    await product.admin.request('DELETE', `/messages/${hidden.id}`);
    await say(id, 'later', { isBackchannel: false, delay: 1200 });
    await listener.until(({ data }) => data.text === 'later');
    expect(listener.texts()).toEqual(['later']);
    expect(listener.raw()).not.toContain('secret');
    for (const { event, data } of listener.heard)
      if (event === 'typing') expect(data.typing.length).toBeLessThan(2);
  });
});

describe('access to a stream', () => {
  test('a stream requires a valid token and a conversation that the caller may read', async () => {
    const { id } = await newConversation();
    const stranger = await newUser(product, { role: 'viewer' });
    expect((await hear(id, { token: '' })).status).toBe(401);
    expect((await hear('0123456789abcdef01234567')).status).toBe(404);
    expect((await hear(id, { token: stranger.token })).status).toBe(404);
  });

  test('a stream ends when its conversation is deleted or the token expires', async () => {
    const { id } = await newConversation();
    const listener = await hear(id);
    await listener.until(({ event }) => event === 'conversation');
    await product.admin.request('DELETE', `/conversations/${id}`);
    await listener.ended;
    const { id: other } = await newConversation();
    const { token, done: brief } = await whileTokenLasts(product, async (brief) => {
      const opened = await hear(other, { token: brief });
      return opened.status === 200 && opened;
    });
    await brief.ended;
    expect((await hear(other, { token })).status).toBe(403);
  });

  test('a stream ends in every process when the API key is revoked', async () => {
    const bot = await newUser(product, { role: 'bot' });
    const { id } = await newConversation();
    const here = await hear(id, { token: bot.token });
    const there = await hear(id, { token: bot.token, base: second.base });
    await here.until(({ event }) => event === 'conversation');
    await there.until(({ event }) => event === 'conversation');
    await product.admin.request('DELETE', `/users/${bot.user}/apikeys/${bot.key}`);
    await Promise.all([here.ended, there.ended]);
  });

  test('a user can open at most 100 streams', async () => {
    const bot = await newUser(product, { role: 'bot' });
    const { id } = await newConversation();
    const many = await Promise.all(Array.from({ length: 101 }, () => hear(id, { token: bot.token })));
    expect(many.filter(({ status }) => status === 429)).toHaveLength(1);
    await Promise.all(many.map((one) => one.close()));
    await eventually(async () => (await hear(id, { token: bot.token })).status === 200);
  });
});

test('a stream client that pauses does not delay other clients and loses no message', async () => {
  const { id } = await newConversation();
  const { hostname, port } = new URL(product.origin);
  const socket = connect(Number(port), hostname);
  socket.write(
    `GET /v2/conversations/${id}/stream?after=0 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${product.token}\r\n\r\n`,
  );
  await new Promise((resolve) => socket.once('data', resolve));
  socket.pause();
  const listener = await hear(id);
  const text = 'x'.repeat(30_000);
  for (let round = 0; round < 12; round++) {
    await product.admin.post(
      `/conversations/${id}/messages`,
      Array.from({ length: 20 }, () => ({ text })),
    );
  }
  await eventually(() => listener.texts().length >= 240);
  let taken = 0;
  socket.on('data', (chunk) => (taken += chunk.length));
  socket.resume();
  await eventually(() => taken > 240 * 30_000);
  socket.destroy();
});

test('a process that shuts down closes its streams without waiting for their clients', async () => {
  const { id } = await newConversation();
  // Shutdown waits ten minutes for other requests, so a wait for the stream would exceed the time
  // of this test.
  const ending = await startLoneApi(product.environment, { SHUTDOWN_TIMEOUT_MS: '600000' });
  const listener = await hear(id, { base: ending.base });
  await Promise.all([ending.close(), listener.ended]);
});
