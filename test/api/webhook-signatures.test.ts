import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sharedApi } from '../support/shared-servers.ts';
import { arrivals } from '../support/arrivals.ts';
import type { ApiClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { createWebhook } from '../support/listening.ts';
import type { Product } from '../support/product.ts';
import { respondWith, startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { untilActive } from '../support/services.ts';

const SECRET = `whsec_${Buffer.from('a secret of deliveries, 32 bytes').toString('base64')}`;

let product: Product;
let admin: ApiClient;
let receiver: Receiver;

beforeAll(async () => {
  product = await sharedApi('signatures');
  ({ admin } = product);
});

afterAll(() => product.close());

beforeEach(async () => {
  receiver = await startReceiver();
});

afterEach(() => receiver.close());

function listen(): Promise<any> {
  return createWebhook(admin, { url: receiver.url, secret: SECRET, events: ['message.create.*'] });
}

async function converse(text: string): Promise<void> {
  await admin.post('/conversations', { name: 'a talk', messages: [{ text }] });
}

describe('POST /services/{id}/test', () => {
  test('POST /services/{id}/test sends a signed sample event and returns the result of the attempt', async () => {
    const service = await listen();
    receiver.behave(respondWith(201, 'got it'));
    const { status, body } = await admin.post(`/services/${service.id}/test`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...{ event: 'message.create.contact.chat', outcome: 'delivered', status: 201, response: 'got it' },
    });
    const [sample] = arrivals(receiver);
    new Webhook(SECRET).verify(sample!.body, sample!.headers as Record<string, string>);
    expect(sample?.json).toMatchObject({
      event: 'message.create.contact.chat',
      ...{ organization: product.organization, test: true },
      activity: { type: 'Create', object: { type: 'Note' } },
      data: { message: { role: 'contact' }, conversation: { meta: { sample: true } }, links: {} },
    });
    expect((await admin.get(`/deliveries?service=${service.id}`)).body).toEqual([]);
  });

  test('POST /services/{id}/test hides a token in the response of the webhook', async () => {
    const service = await listen();
    receiver.behave(respondWith(200, JSON.stringify({ token: 'a secret', messages: [] })));
    const { body } = await admin.post(`/services/${service.id}/test`);
    expect(JSON.parse(body.response)).toEqual({ token: '[token]', messages: [] });
  });

  test('POST /services/{id}/test returns the reason when the webhook is unreachable', async () => {
    const service = await listen();
    await receiver.close();
    const { body } = await admin.post(`/services/${service.id}/test`);
    expect(body).toMatchObject({ outcome: 'unreachable', reason: 'ECONNREFUSED' });
    receiver = await startReceiver();
  });
});

describe('the secret of a service', () => {
  const create = (secret: string) =>
    admin.post('/services', { name: 's', type: 'webhook', params: { url: receiver.url, secret } });

  test('the secret of a service is stored without surrounding whitespace', async () => {
    const { status, body } = await create(`${SECRET}\r\n`);
    expect([status, body.params.secret]).toEqual([201, SECRET]);
    const path = `/services/${body.id}`;
    const changed = await admin.request('PATCH', path, {
      params: { url: receiver.url, secret: '\ta secret of a receiver ' },
    });
    expect(changed.body.params.secret).toBe('a secret of a receiver');
  });

  test.each(['whsec_', 'whsec_!!!!', 'whsec_AA==', 'whsec_c2VjcmV0\nLW9mLWF0LWxlYXN0', '\u200b', 'short'])(
    'the secret of a service is rejected if it is malformed: %j',
    async (secret) => {
      const refused = await create(secret);
      expect([refused.status, refused.body.details[0].path]).toEqual([400, 'params.secret']);
      const { body } = await admin.post('/services', {
        ...{ name: 'unsigned', type: 'webhook', params: { url: receiver.url } },
      });
      const params = { url: receiver.url, secret };
      expect((await admin.request('PATCH', `/services/${body.id}`, { params })).status).toBe(400);
    },
  );
});

describe('a changed webhook secret', () => {
  test('webhooks are signed with the new and the former secret after a change, and not signed after the secret is removed', async () => {
    const service = await listen();
    const next = `whsec_${Buffer.from('another secret, also of 32 bytes').toString('base64')}`;
    const params = { url: receiver.url, events: ['message.create.*'] };
    const changed = await admin.request('PATCH', `/services/${service.id}`, {
      params: { ...params, secret: next },
    });
    expect(changed.body).toMatchObject({ params: { secret: next } });
    expect(JSON.stringify(changed.body)).not.toContain(SECRET);
    await untilActive(admin, changed);
    await eventually(async () => {
      await converse('signed by both');
      const signatures = arrivals(receiver).at(-1)?.headers['webhook-signature'] ?? '';
      return String(signatures).split(' ').length >= 2;
    });
    const { body, headers } = arrivals(receiver).at(-1)!;
    for (const secret of [SECRET, next]) new Webhook(secret).verify(body, headers as Record<string, string>);
    await admin.request('PATCH', `/services/${service.id}`, { params });
    await eventually(async () => {
      await converse('not signed');
      return arrivals(receiver).at(-1)?.headers['webhook-signature'] === undefined;
    });
  });
});
