import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import mongoose from 'mongoose';
import { newUser, secondSharedApi, sharedApi } from '../support/shared-servers.ts';
import { whileTokenLasts } from '../support/brief-token.ts';
import { client } from '../support/client.ts';
import type { ApiClient } from '../support/client.ts';
import { startLoneApi } from '../support/product.ts';
import type { Product } from '../support/product.ts';
import { listen } from '../support/stream.ts';
import type { StreamListener } from '../support/stream.ts';

/** Spec 5.12: streams for clients that cannot send headers. */
describe('a stream ticket', () => {
  let product: Product;
  let second: { base: string };
  let conversation: string;
  const listeners: StreamListener[] = [];

  beforeAll(async () => {
    product = await sharedApi('stream_ticket');
    second = await secondSharedApi();
    conversation = await newConversation();
  });
  afterAll(async () => {
    await Promise.all(listeners.map((one) => one.close()));
    await product.close();
  });

  async function newConversation(): Promise<string> {
    return (await product.admin.post('/conversations', { type: 'contact' })).body.id;
  }

  const ask = (caller: ApiClient, id = conversation) => caller.post(`/conversations/${id}/stream/ticket`);

  async function addressFor(caller: ApiClient, id = conversation): Promise<string> {
    const { status, body } = await ask(caller, id);
    expect(status).toBe(200);
    return body.url;
  }

  async function open(url: string, token?: string): Promise<StreamListener> {
    const listener = await listen(url, token === undefined ? {} : { token });
    listeners.push(listener);
    return listener;
  }

  const statusOf = async (url: string) => (await open(url)).status;
  const assign = (users: string[]) =>
    product.admin.post('/messages', { conversation, type: 'command', text: '/assign', meta: { users } });

  test('a stream ticket opens its stream once without a token, and the stream resumes after the given event', async () => {
    const askedAt = Date.now();
    const { status, body, headers } = await ask(product.admin);
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(body.url).toMatch(
      new RegExp(`^${product.base}/conversations/${conversation}/stream\\?ticket=[\\w-]{43}$`),
    );
    expect(Date.parse(body.expiresAt)).toBeGreaterThanOrEqual(askedAt + 59_000);
    expect(Date.parse(body.expiresAt)).toBeLessThanOrEqual(Date.now() + 61_000);
    const listener = await open(`${body.url}&after=0`);
    expect([listener.status, listener.headers.get('cache-control')]).toEqual([200, 'no-store, no-transform']);
    await listener.until(({ event }) => event === 'conversation');
    await product.admin.post('/messages', { conversation, text: 'hello' });
    await listener.until(({ data }) => data.text === 'hello');
    const again = await fetch(body.url);
    expect([again.status, again.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(((await again.json()) as { message: string }).message).toContain('Ask for a new one');
  });

  test('a stream ticket can be redeemed at any process, once, even concurrently', async () => {
    const url = await addressFor(product.admin);
    const there = url.replace(product.base, second.base);
    const opened = await Promise.all([url, there, url, there, url, there].map((one) => open(one)));
    const statuses = opened.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 401, 401, 401, 401, 401]);
  });

  test('a stream ticket expires after a minute', async () => {
    const url = await addressFor(product.admin);
    const uri = product.environment['MONGODB_URI'] ?? '';
    const connection = await mongoose.createConnection(uri).asPromise();
    try {
      const tickets = connection.collection('streamtickets');
      const minuteAgo = { $set: { expiresAt: new Date(Date.now() - 1) } };
      expect((await tickets.updateMany({ conversation }, minuteAgo)).matchedCount).toBeGreaterThan(0);
      const [kept] = await tickets.find({ conversation }).toArray();
      expect(JSON.stringify(kept)).not.toContain(new URL(url).searchParams.get('ticket'));
      expect(JSON.stringify(kept)).not.toContain(product.token);
    } finally {
      await connection.close();
    }
    expect(await statusOf(url)).toBe(401);
  });

  test('a stream ticket is limited to what its caller may read', async () => {
    const guest = await newUser(product, { role: 'viewer' });
    expect((await ask(guest)).status).toBe(404);
    await assign([guest.user]);
    const listener = await open(await addressFor(guest));
    await listener.until(({ event }) => event === 'conversation');
    await product.admin.post('/messages', { conversation, text: 'secret', isBackchannel: true });
    await product.admin.post('/messages', { conversation, text: 'open', isBackchannel: false });
    await listener.until(({ data }) => data.text === 'open');
    expect(listener.raw()).not.toContain('secret');
  });

  test('a stream ticket is valid only for its own stream', async () => {
    const other = await newConversation();
    const url = await addressFor(product.admin);
    const { search } = new URL(url);
    for (const path of ['/users/me', `/conversations/${conversation}`, `/conversations/${other}/stream`]) {
      expect((await fetch(`${product.base}${path}${search}`)).status, path).toBe(401);
    }
    const posted = await fetch(`${product.base}/conversations/${conversation}/stream/ticket${search}`, {
      method: 'POST',
    });
    expect(posted.status).toBe(401);
    expect(await statusOf(`${url}&ticket=x`)).toBe(400);
    expect((await open(url, product.token)).status).toBe(400);
    expect(await statusOf(url)).toBe(200);
  });

  test.each<[string, (user: string, key: string) => Promise<unknown>]>([
    ['loses the API key', (user, key) => product.admin.request('DELETE', `/users/${user}/apikeys/${key}`)],
    ['is deleted', (user) => product.admin.request('DELETE', `/users/${user}`)],
    ['gets a lower role', (user) => product.admin.request('PATCH', `/users/${user}`, { role: 'viewer' })],
  ])('a stream ticket is rejected if its caller, after the ticket was issued, %s', async (_, change) => {
    const agent = await newUser(product, { role: 'agent' });
    await assign([agent.user]);
    const urls = [await addressFor(agent), await addressFor(agent)];
    await change(agent.user, agent.key);
    for (const url of urls) expect(await statusOf(url)).toBe(401);
  });

  test('a stream ticket is rejected after its caller moves to another organization or the token of the caller expires', async () => {
    const { id: elsewhere } = (await product.admin.post('/organizations', { name: 'elsewhere' })).body;
    const agent = await newUser(product, { role: 'agent' });
    const left = await addressFor(agent);
    await product.admin.request('PATCH', `/users/${agent.user}`, { organization: elsewhere });
    expect(await statusOf(left)).toBe(404);
    const { done } = await whileTokenLasts(product, async (token) => {
      const brief = client(product.base, token);
      const [first, late] = [await ask(brief), await ask(brief)];
      if (first.status !== 200 || late.status !== 200) return false;
      const listener = await open(first.body.url);
      return listener.status === 200 && { listener, late: late.body.url as string };
    });
    await done.listener.ended;
    expect(await statusOf(done.late)).toBe(403);
  });

  test('the stream of a ticket closes when the API key of the caller is revoked', async () => {
    const bot = await newUser(product, { role: 'bot' });
    const listener = await open(await addressFor(bot));
    await listener.until(({ event }) => event === 'conversation');
    await product.admin.request('DELETE', `/users/${bot.user}/apikeys/${bot.key}`);
    await listener.ended;
  });

  test('a stream ticket never appears in the log', async () => {
    const talkative = await startLoneApi(product.environment, { LOG_LEVEL: 'debug' });
    onTestFinished(talkative.close);
    const url = await addressFor(client(talkative.base, product.token));
    expect(url).toContain(talkative.base);
    await (await open(url)).close();
    expect(await statusOf(url)).toBe(401);
    expect(talkative.output()).toContain('/conversations/:id/stream');
    expect(talkative.output()).not.toContain(new URL(url).searchParams.get('ticket'));
  });
});
