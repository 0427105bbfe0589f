import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { openApi } from '../../api/docs/openapi.ts';
import { ROUTES } from '../../api/routes.ts';
import { arrivals } from '../support/arrivals.ts';
import type { ApiClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { createWebhook } from '../support/listening.ts';
import type { Product } from '../support/product.ts';
import { respondWith, startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { sharedApi } from '../support/shared-servers.ts';

const SECRET = `whsec_${Buffer.from('a secret of examples, 32 bytes..').toString('base64')}`;

interface Documented {
  event: string;
  data: object;
}

/** The documented example of each webhook, by event. */
const DOCUMENTED = Object.entries(
  (JSON.parse(JSON.stringify(openApi(ROUTES, ''))) as { webhooks: Record<string, any> }).webhooks,
).map(([name, { post }]): [string, Documented] => [
  name,
  post.requestBody.content['application/json'].example as Documented,
]);

let product: Product;
let admin: ApiClient;
let receiver: Receiver;

beforeAll(async () => {
  product = await sharedApi('webhook-examples');
  ({ admin } = product);
});

afterAll(() => product.close());

beforeEach(async () => {
  receiver = await startReceiver();
});

afterEach(() => receiver.close());

/** The examples that the receiver got, without the real events of the organization. */
function examplesAt(): any[] {
  return arrivals(receiver).filter(({ json }) => json.test === true);
}

/** Requests an example, and returns the id of its delivery. */
async function trigger(service: string, event: string): Promise<string> {
  const { status, body } = await admin.post(`/services/${service}/test`, { event });
  expect([status, body]).toEqual([202, { event: expect.any(String), delivery: expect.any(String) }]);
  return body.delivery as string;
}

async function finished(delivery: string): Promise<any> {
  return eventually(async () => {
    const { body } = await admin.get(`/deliveries/${delivery}`);
    return body.status !== 'pending' && body;
  });
}

describe('an example of an event', () => {
  test('an example is signed and logged as a real event, has the documented records, and is marked as a test', async () => {
    const { id } = await createWebhook(admin, { url: receiver.url, secret: SECRET });
    const delivery = await trigger(id, 'message.create.bot.chat.agent');
    const logged = await finished(delivery);
    expect(logged).toMatchObject({ status: 'delivered', event: 'message.create.bot.chat', service: id });
    const [sent] = examplesAt();
    new Webhook(SECRET).verify(sent.body, sent.headers);
    expect(sent.json).toEqual(logged.body);
    expect(sent.json).toMatchObject({
      ...{ event: 'message.create.bot.chat', test: true, organization: product.organization },
      data: {
        message: { id: '65f2a1c09b1d8e4f7a3c5d05', type: 'chat', role: 'agent' },
        conversation: { id: '65f2a1c09b1d8e4f7a3c5d04', type: 'bot' },
      },
    });
    expect(sent.headers['webhook-id']).toBe(sent.json.id);
  });

  test('an example of every documented event can be sent, with the documented data', async () => {
    const { id } = await createWebhook(admin, { url: receiver.url });
    expect(DOCUMENTED.length).toBeGreaterThan(30);
    for (const [, { event }] of DOCUMENTED) await trigger(id, event);
    const received = await eventually(() => {
      const all = examplesAt().map(({ json }) => json as Documented);
      return all.length >= DOCUMENTED.length && all;
    });
    for (const [name, { event, data }] of DOCUMENTED) {
      const found = received.find((one) => one.event === event);
      // The types of these are the ones in the name.
      const isNamed = /^(message|conversation)\./.test(name);
      expect(found?.data, name).toMatchObject(isNamed ? {} : data);
    }
  });

  test('an example of a message of any type has the fields of the type', async () => {
    const { id } = await createWebhook(admin, { url: receiver.url });
    await trigger(id, 'message.create.contact.command');
    const { json } = await eventually(() => examplesAt()[0]);
    const { message } = json.data;
    expect(message).toMatchObject({ type: 'command', text: '/set category sales' });
    expect(Object.keys(message)).not.toEqual(expect.arrayContaining(['role']));
  });

  test('the messages in the response to an example are not posted, and the log has the reason', async () => {
    const { id } = await createWebhook(admin, { url: receiver.url });
    const { body: bot } = await admin.post('/users', { role: 'bot', givenName: 'Examples' });
    const { body: key } = await admin.post(`/users/${bot.id}/apikeys`, { name: 'x', scopes: ['bot'] });
    receiver.behave(respondWith(200, JSON.stringify({ token: key.token, messages: [{ text: 'Hello!' }] })));
    const { attempts } = await finished(await trigger(id, 'message.create'));
    expect(attempts[0]).toMatchObject({
      outcome: 'delivered',
      reply: expect.stringContaining('no conversation'),
    });
  });

  test('an example that fails is tried again, and delays no event', async () => {
    const { id } = await createWebhook(admin, { url: receiver.url, events: ['message.create'] });
    let failures = 0;
    receiver.behave((response, { method, body }) => {
      const isFailing = method === 'POST' && body.includes('"test":true') && failures++ < 1;
      response.writeHead(isFailing ? 500 : 200).end();
    });
    const delivery = await trigger(id, 'message.create');
    await eventually(() => failures > 0);
    const { body } = await admin.post('/conversations', {
      name: 'real',
      messages: [{ text: 'not delayed' }],
    });
    await eventually(() => arrivals(receiver).some(({ json }) => json.data.conversation.id === body.id));
    await admin.post(`/deliveries/${delivery}/retry`);
    const { attempts } = await finished(delivery);
    // On a slow machine, the planned retry precedes the requested retry.
    const outcomes = attempts.map((one: { outcome: string }) => one.outcome);
    expect(outcomes.slice(0, 2)).toEqual(['rejected', 'delivered']);
  });

  test('an example for a paused webhook is logged as skipped, and one without an address is pulled', async () => {
    const { id } = await createWebhook(admin, { url: receiver.url });
    await admin.request('PATCH', `/services/${id}`, { status: 'disabled' });
    expect((await finished(await trigger(id, 'contact.update'))).status).toBe('skipped');
    const feed = await createWebhook(admin, { events: ['contact'] });
    await trigger(feed.id, 'contact.update');
    const pulled = await eventually(async () => {
      const { body } = await admin.get(`/services/${feed.id}/events?wait=1`);
      return body.length > 0 && body;
    });
    expect(pulled).toMatchObject([{ event: 'contact.update', test: true }]);
  });
});

describe('a refused example of an event', () => {
  test.each([
    ['message.created', 'possible are create, update, delete, receipt and *; did you mean create?'],
    ['order.shipped', 'possible are message, conversation'],
    ['message.create.*', 'without *'],
    ['contact', 'such as contact.update'],
    ['', 'event'],
  ])('an example of the unknown event %j is refused with 400', async (event, words) => {
    const { id } = await createWebhook(admin, { url: receiver.url });
    const { status, body } = await admin.post(`/services/${id}/test`, { event });
    expect([status, body.details[0].path]).toEqual([400, 'event']);
    expect(body.message).toContain(words);
  });

  test('an example of an event outside of the filter of the webhook is refused with the patterns of the filter', async () => {
    const events = ['message.create.*.chat.contact', 'conversation.*'];
    const { id } = await createWebhook(admin, { url: receiver.url, events });
    for (const event of ['message.create.contact.chat.agent', 'user.login']) {
      const { status, body } = await admin.post(`/services/${id}/test`, { event });
      expect([status, body.details[0].path]).toEqual([422, 'event']);
      expect(body.message).toContain(events.join(', '));
    }
    expect(examplesAt()).toEqual([]);
  });

  test('an example of an event that the bot of a webhook never receives is refused', async () => {
    const { body: bot } = await admin.post('/users', { role: 'bot', givenName: 'Examples' });
    const { id } = await createWebhook(admin, { url: receiver.url }, { user: bot.id });
    for (const event of ['form.create', 'contact.create']) {
      const { status, body } = await admin.post(`/services/${id}/test`, { event });
      expect([status, body.message]).toEqual([
        422,
        expect.stringContaining('message, conversation and contact'),
      ]);
    }
    expect((await finished(await trigger(id, 'message.create'))).status).toBe('delivered');
  });
});
