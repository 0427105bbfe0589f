import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newUser, startApi } from '../support/shared-servers.ts';
import { arrivals } from '../support/arrivals.ts';
import { client } from '../support/client.ts';
import type { ApiClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { createWebhook } from '../support/listening.ts';
import type { Product } from '../support/product.ts';
import { respondWith, hang, script, startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { untilActive } from '../support/services.ts';

const SECRET = `whsec_${Buffer.from('a secret of deliveries, 32 bytes').toString('base64')}`;

let product: Product;
let admin: ApiClient;
let receiver: Receiver;

beforeAll(async () => {
  product = await startApi('deliveries', { WEBHOOK_RETRY_SECONDS: '1' });
  ({ admin } = product);
});

afterAll(() => product.close());

beforeEach(async () => {
  receiver = await startReceiver();
});

afterEach(() => receiver.close());

function listen(params: object = {}, fields: object = {}): Promise<any> {
  const { url } = receiver;
  return createWebhook(admin, { url, secret: SECRET, events: ['message.create.*'], ...params }, fields);
}

/** Creates a conversation with one message per text, and returns the id of the conversation. */
async function converse(...texts: string[]): Promise<string> {
  const { body } = await admin.post('/conversations', {
    name: 'a talk',
    messages: texts.map((text) => ({ text })),
  });
  return body.id;
}

async function deliveriesOf(service: string, status?: string, count = 1): Promise<any[]> {
  const query = `/deliveries?service=${service}&sort=sequence${status ? `&status=${status}` : ''}`;
  return eventually(async () => {
    const { body } = await admin.get(query);
    return body.length >= count && body;
  });
}

const texts = () => arrivals(receiver).map(({ json }) => json.data.message.text);

describe('GET /deliveries', () => {
  test('GET /deliveries lists deliveries filtered by service, conversation, event and status', async () => {
    const service = await listen();
    const conversation = await converse('one', 'two');
    const [first] = await deliveriesOf(service.id, 'delivered', 2);
    expect(first).toEqual({
      id: `${first.eventId}:${service.id}`,
      event: 'message.create.bot.chat',
      eventId: arrivals(receiver)[0]?.json.id,
      service: service.id,
      organization: product.organization,
      conversation,
      sequence: 2,
      status: 'delivered',
      createdAt: expect.any(String),
      finishedAt: expect.any(String),
      expiresAt: expect.any(String),
      attemptCount: 1,
    });
    const all = await admin.get(`/deliveries?conversation=${conversation}&event=message.create.bot.chat`);
    expect(all.body.filter((one: any) => one.service === service.id)).toHaveLength(2);
    expect((await admin.get(`/deliveries?service=${service.id}&status=failed`)).body).toEqual([]);
    const page = await admin.get(`/deliveries?service=${service.id}&limit=1&sort=-sequence`);
    expect(page.headers.get('X-Total')).toBe('2');
    expect(page.body[0].sequence).toBe(3);
    expect((await admin.get('/deliveries?attempts=1')).status).toBe(400);
    expect((await admin.get('/deliveries?status=lost')).status).toBe(400);
  });

  test('GET /deliveries/{id} shows one delivery with its attempts and its body as sent', async () => {
    receiver.behave(script(respondWith(200), respondWith(503, 'not now'), respondWith(200, 'thanks')));
    const service = await listen();
    await converse('hello');
    const [{ id }] = await deliveriesOf(service.id, 'delivered');
    const { body } = await admin.get(`/deliveries/${id}`);
    expect(body.attempts).toEqual([
      {
        at: expect.any(String),
        durationMs: expect.any(Number),
        outcome: 'rejected',
        status: 503,
        response: 'not now',
      },
      {
        at: expect.any(String),
        durationMs: expect.any(Number),
        outcome: 'delivered',
        status: 200,
        response: 'thanks',
      },
    ]);
    expect(body.body).toEqual(arrivals(receiver)[0]?.json);
    expect(JSON.stringify(body)).not.toContain(SECRET);
  });

  test('requests for deliveries require scope admin and a service within the reach of the caller', async () => {
    const service = await listen();
    const below = (await admin.post('/organizations', { name: 'Below' })).body.id;
    const bot = await newUser(product, { role: 'bot' });
    const lower = await newUser(product, { role: 'admin', organization: below });
    // The event belongs to the child organization, the subscribed service to the parent.
    await lower.post('/conversations', { name: 'below', messages: [{ text: 'from below' }] });
    const [{ id }] = await deliveriesOf(service.id, 'delivered');
    for (const [method, path, body] of [
      ['GET', '/deliveries', undefined],
      ['GET', `/deliveries/${id}`, undefined],
      ['POST', `/deliveries/${id}/retry`, undefined],
      ['POST', `/services/${service.id}/replay`, { since: '2026-01-01' }],
      ['POST', `/services/${service.id}/test`, undefined],
    ] as const) {
      expect((await bot.request(method, path, body)).status).toBe(403);
      expect((await client(product.base).request(method, path, body)).status).toBe(401);
      const denied = await lower.request(method, path, body);
      if (path === '/deliveries') expect(denied.body).toEqual([]);
      else expect(denied.status).toBe(404);
    }
  });
});

describe('POST /deliveries/{id}/retry', () => {
  test('POST /deliveries/{id}/retry sends the stored body of a failed delivery again, with a new signature', async () => {
    receiver.behave(script(respondWith(200), respondWith(500), respondWith(500), respondWith(200)));
    const service = await listen();
    const conversation = await converse('lost?');
    const [{ id }] = await deliveriesOf(service.id, 'failed');
    await admin.post('/messages', { conversation, type: 'command', text: '/set name renamed' });
    // A signature depends on the second of its attempt.
    const firstSecond = Number(arrivals(receiver)[0]?.headers['webhook-timestamp']);
    await eventually(() => Math.floor(Date.now() / 1_000) > firstSecond);
    const retried = await admin.post(`/deliveries/${id}/retry`);
    expect(retried.status).toBe(200);
    expect(retried.body).toMatchObject({ id, status: 'pending', nextAttemptAt: expect.any(String) });
    await eventually(() => arrivals(receiver).length >= 4);
    const attempts = arrivals(receiver).filter(({ json }) => json.data.message.text === 'lost?');
    const [first, last] = [attempts[0], attempts.at(-1)];
    expect(last?.body).toBe(first?.body);
    expect(last?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(last?.headers['webhook-signature']).not.toBe(first?.headers['webhook-signature']);
    new Webhook(SECRET).verify(last!.body, last!.headers as Record<string, string>);
    const { body } = await eventually(async () => {
      const found = await admin.get(`/deliveries/${id}`);
      return found.body.status === 'delivered' && found;
    });
    expect(body.attempts.map((one: any) => one.status)).toEqual([500, 500, 200]);
  });

  test('POST /deliveries/{id}/retry starts no attempt while another attempt of the delivery runs, even if requests are repeated', async () => {
    let under = 0;
    let most = 0;
    let count = 0;
    const service = await listen();
    receiver.behave((response) => {
      most = Math.max(most, ++under);
      const status = ++count < 4 ? 503 : 200;
      setTimeout(() => {
        under--;
        response.writeHead(status).end();
      }, 150);
    });
    await converse('only once at a time');
    const [{ id }] = await deliveriesOf(service.id);
    while (count < 4) {
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => admin.post(`/deliveries/${id}/retry`)),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    }
    await deliveriesOf(service.id, 'delivered');
    expect(most).toBe(1);
  });

  test('POST /deliveries/{id}/retry responds 422 for an inactive service, and 404 for an unknown delivery', async () => {
    receiver.behave(script(respondWith(200), respondWith(410)));
    const service = await listen();
    await converse('gone');
    const [{ id }] = await deliveriesOf(service.id, 'failed');
    // The worker stores the attempt before it disables the service.
    await eventually(async () => (await admin.get(`/services/${service.id}`)).body.status === 'disabled');
    const refused = await admin.post(`/deliveries/${id}/retry`);
    expect(refused.status).toBe(422);
    expect(refused.body.message).toContain('disabled');
    expect((await admin.post(`/deliveries/${'0'.repeat(24)}-1:${service.id}/retry`)).status).toBe(404);
  });
});

describe('POST /services/{id}/replay', () => {
  test('POST /services/{id}/replay sends the undelivered events since the given time again, in order', async () => {
    receiver.behave(script(respondWith(200), respondWith(200), respondWith(410)));
    const service = await listen();
    const conversation = await converse('one', 'two', 'three');
    await deliveriesOf(service.id, 'skipped');
    await admin.post('/messages', { conversation, text: 'four' });
    await deliveriesOf(service.id, 'skipped', 2);
    receiver.behave(respondWith(200));
    const since = new Date(Date.now() - 60_000).toISOString();
    expect((await admin.post(`/services/${service.id}/replay`, { since })).status).toBe(422);
    await untilActive(admin, await admin.post(`/services/${service.id}/verify`));
    const before = texts().length;
    const replayed = await admin.post(`/services/${service.id}/replay`, { since });
    expect(replayed).toMatchObject({ status: 200, body: { replayed: 3, pending: 0 } });
    await deliveriesOf(service.id, 'delivered', 4);
    expect([...new Set(texts().slice(before))]).toEqual(['two', 'three', 'four']);
  });

  test('POST /services/{id}/replay sends delivered events again on request, but no event from before the given time', async () => {
    const service = await listen();
    await converse('old');
    const [old] = await deliveriesOf(service.id, 'delivered');
    // The time must come from the clock that set createdAt.
    const since = new Date(Date.parse(old.createdAt) + 1).toISOString();
    await converse('new');
    await deliveriesOf(service.id, 'delivered', 2);
    const before = texts().length;
    const replayed = await admin.post(`/services/${service.id}/replay`, { since, status: 'delivered' });
    expect(replayed.body).toEqual({ replayed: 1, pending: 0 });
    await eventually(() => texts().length > before);
    expect([...new Set(texts().slice(0, before))]).toEqual(['old', 'new']);
    expect([...new Set(texts().slice(before))]).toEqual(['new']);
    expect((await admin.post(`/services/${service.id}/replay`, { since: 'yesterday' })).status).toBe(400);
    expect((await admin.post(`/services/${service.id}/replay`, {})).status).toBe(400);
  });

  test('POST /services/{id}/replay returns the number of deliveries that were already pending and does not queue them again', async () => {
    const service = await listen();
    await converse('done');
    await deliveriesOf(service.id, 'delivered');
    receiver.behave(hang);
    const conversation = await converse('under way');
    await admin.post('/messages', { conversation, text: 'behind it' });
    await eventually(() => arrivals(receiver).length >= 2);
    const since = new Date(Date.now() - 60_000).toISOString();
    const missed = await admin.post(`/services/${service.id}/replay`, { since });
    expect(missed.body).toEqual({ replayed: 0, pending: 2 });
    const all = await admin.post(`/services/${service.id}/replay`, { since, status: 'delivered' });
    expect(all.body).toEqual({ replayed: 1, pending: 2 });
  });
});
