import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { firstArrivals } from '../support/arrivals.ts';
import { client } from '../support/client.ts';
import type { ApiClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import type { Product } from '../support/product.ts';
import { sharedApi } from '../support/shared-servers.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { untilActive } from '../support/services.ts';

const SECRET = `whsec_${Buffer.from('a secret of the walk, 32 bytes..').toString('base64')}`;

/** Sends messages through the whole product: API, Temporal, worker, store, webhook, and back. */
describe('a bot conversation', () => {
  let product: Product;
  let receiver: Receiver;
  let admin: ApiClient;
  let bot: ApiClient;
  let botUser: string;
  let conversation: string;

  beforeAll(async () => {
    receiver = await startReceiver();
    product = await sharedApi('walk');
    admin = product.admin;
  });

  afterAll(async () => {
    await product.close();
    await receiver.close();
  });

  test('an admin creates a bot user with a working API key', async () => {
    const user = await admin.post('/users', {
      role: 'bot',
      email: 'walker@example.com',
      givenName: 'Walker',
    });
    expect(user.status).toBe(201);
    expect(user.body).not.toHaveProperty('password');
    botUser = user.body.id;
    const key = await admin.post(`/users/${botUser}/apikeys`, { name: 'walk', scopes: ['bot'] });
    expect(key.status).toBe(201);
    bot = client(product.base, key.body.token);
    expect((await bot.get('/users/me')).body).toMatchObject({ id: botUser, role: 'bot' });
  });

  test('a webhook that passes verification becomes active', async () => {
    const params = { url: receiver.url, secret: SECRET, events: ['message.create.contact.chat'] };
    const service = await admin.post('/services', { name: 'walker', type: 'webhook', params });
    expect(service.status).toBe(201);
    expect(await untilActive(admin, service)).toMatchObject({ params: { url: receiver.url } });
    expect(receiver.received[0]?.method).toBe('GET');
    expect(receiver.received[0]?.path).toMatch(/type=subscribe&challenge=.+/);
  });

  test('an upsert creates a contact and a conversation, and a second upsert finds both', async () => {
    const upsert = {
      organization: product.organization,
      type: 'contact',
      contact: { profile: { email: ' Ada@Example.com ', name: 'Ada' } },
      messages: [{ type: 'chat', role: 'contact', text: 'first' }],
    };
    const made = await admin.post('/conversations', upsert);
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      type: 'contact',
      status: 'queued',
      organization: product.organization,
    });
    expect(made.body.url).toBe(`${product.origin}/c/${made.body.slug}`);
    const found = await admin.post('/conversations', {
      ...upsert,
      messages: [{ type: 'chat', role: 'contact', text: 'second' }],
    });
    expect(found.status).toBe(200);
    expect(found.body.id).toBe(made.body.id);
    conversation = made.body.id;
  });

  test('messages of the contact are delivered to the bot, signed and in order', async () => {
    await eventually(() => firstArrivals(receiver).length >= 2);
    const deliveries = firstArrivals(receiver);
    expect(deliveries.map(({ json }) => json.data.message.text)).toEqual(['first', 'second']);
    for (const { body, headers } of deliveries) {
      expect(() => new Webhook(SECRET).verify(body, headers as Record<string, string>)).not.toThrow();
    }
    expect(deliveries[0]?.json).toMatchObject({
      event: 'message.create.contact.chat',
      organization: product.organization,
      data: { message: { conversation, sequence: 1, role: 'contact' }, conversation: { id: conversation } },
    });
    expect(deliveries[0]?.json.data.conversation).not.toHaveProperty('messages');
  });

  test('the API accepts one or several messages of a bot, on the path of messages and on the path of a conversation', async () => {
    const one = await bot.post('/messages', { conversation, text: 'answer 1' });
    expect(one.status).toBe(201);
    expect(one.body).toMatchObject({
      conversation,
      organization: product.organization,
      text: 'answer 1',
      type: 'chat',
      role: 'bot',
      isBackchannel: true,
      contentType: 'text/plain',
      touchpoint: 'web',
      serviceType: 'provider_1',
      user: botUser,
      createdBy: botUser,
      sequence: 3,
    });
    const many = await bot.post(`/conversations/${conversation}/messages`, [
      { text: 'answer 2' },
      { text: 'answer 3' },
    ]);
    expect(many.status).toBe(201);
    expect(many.body.map(({ sequence }: { sequence: number }) => sequence)).toEqual([4, 5]);
  });

  test('the API returns a conversation and its messages in order', async () => {
    const shown = await bot.get(`/conversations/${conversation}`);
    expect(shown.status).toBe(200);
    const listed = await bot.get(`/messages?conversation=${conversation}`);
    expect(listed.headers.get('x-total')).toBe('5');
    const texts = listed.body.map(({ text }: { text: string }) => text);
    expect(texts).toEqual(['first', 'second', 'answer 1', 'answer 2', 'answer 3']);
    expect(shown.body.messages).toEqual(listed.body.map(({ id }: { id: string }) => id));
    expect(shown.body.participants).toContainEqual(
      expect.objectContaining({ user: botUser, unreadCount: 0 }),
    );
  });

  test('a delayed message is processed when it is due, not before', async () => {
    const posted = await bot.post('/messages', { conversation, text: 'later', delay: 1500 });
    expect(posted.status).toBe(201);
    expect(posted.body).not.toHaveProperty('sequence');
    const due = await eventually(async () => {
      const { body } = await bot.get(`/messages/${posted.body.id}`);
      return body.sequence === 6 && body;
    });
    expect(Date.parse(due.processedAt) - Date.parse(due.createdAt)).toBeGreaterThanOrEqual(1500);
  });

  test('a post with a repeated externalId returns the first message', async () => {
    const first = await bot.post('/messages', { conversation, text: 'once', externalId: 'x-1' });
    const again = await bot.post('/messages', { conversation, text: 'twice', externalId: 'x-1' });
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body).toMatchObject({ id: first.body.id, text: 'once', sequence: 7 });
  });

  test('sixty concurrent messages get sequences without gaps or repeats', async () => {
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, n) => admin.post('/messages', { conversation, text: `crowd ${n}` })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    const numbers = answers.map(({ body }) => body.sequence as number).sort((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 60 }, (_, n) => n + 8));
  });

  test('the ninth identical message of a bot within three minutes is refused', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 9; n += 1)
      statuses.push((await bot.post('/messages', { conversation, text: 'again' })).status);
    expect(statuses).toEqual([201, 201, 201, 201, 201, 201, 201, 201, 429]);
  });
});
