import type { Client } from '@temporalio/client';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { computeShard } from '../../domain/delivery/delivery.ts';
import { readDetails } from '../durability/operator-views.ts';
import { findConversation, newChannel, textOf, untilDelivery } from '../support/channels.ts';
import type { TestChannel } from '../support/channels.ts';
import type { ApiClient } from '../support/client.ts';
import { startCollector } from '../support/collector.ts';
import type { Collector } from '../support/collector.ts';
import { eventually } from '../support/eventually.ts';
import { FakeTwilio } from '../support/fake-twilio.ts';
import { toSearchableText } from '../support/histories.ts';
import { DELIVERY_SHARDS } from '../support/product.ts';
import type { OwnProduct } from '../support/product.ts';
import { respondWith } from '../support/receiver.ts';
import { untilActive } from '../support/services.ts';
import { startApi } from '../support/shared-servers.ts';
import { createTemporalClient } from '../support/temporal-client.ts';

const DATABASE = 'channel_operations';

/** Spec 15.1, 15.5 and 11. */
describe('a channel in operation', () => {
  let product: OwnProduct;
  let admin: ApiClient;
  let temporal: Client;
  let channel: TestChannel;
  let collector: Collector;

  beforeAll(async () => {
    // One retry: a second failed attempt gives a message up.
    collector = await startCollector();
    product = await startApi(DATABASE, {
      ...{ WEBHOOK_RETRY_SECONDS: '1', LOG_LEVEL: 'debug' },
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    });
    ({ admin } = product);
    temporal = await createTemporalClient(product);
    channel = await newChannel(admin);
  });
  afterAll(async () => {
    await channel.close();
    await temporal.connection.close();
    await product.close();
    await collector.close();
  });

  const reply = async (conversation: string, text: string) =>
    (await admin.post('/messages', { conversation, text, role: 'agent' })).body.id as string;

  /** Returns the delivery of a message with its attempts, once it has ended. */
  const untilEnded = (message: string, status: 'delivered' | 'failed') =>
    eventually(async () => {
      const { body } = await admin.get(`/deliveries/${message}-1:${channel.service}`);
      return body.status === status && (body as { attempts: Record<string, any>[] });
    });

  test('a throttled message waits for the time in Retry-After, uses no step of the retry schedule, and does not delay other conversations', async () => {
    const [slow, other] = [await channel.begin('+31649000001'), await channel.begin('+31649000002')];
    let refusals = 0;
    const isBesideSent = () => channel.sent().some((request) => textOf(request) === 'beside');
    channel.adapter.behave((response, { body }) => {
      const isSlow = body.includes('"text":"slow"');
      const isThrottled = isSlow && (refusals < 4 || !isBesideSent());
      if (isThrottled) refusals += 1;
      response.writeHead(isThrottled ? 429 : 200, isThrottled ? { 'retry-after': '1' } : {}).end();
    });
    const id = await reply(slow, 'slow');
    await eventually(() => channel.sent().some((request) => textOf(request) === 'slow'));
    // An hour at once would not be tried again within the test.
    await untilDelivery(admin, await reply(other, 'beside'), 'sent');
    await untilDelivery(admin, id, 'sent');
    const { attempts } = await untilEnded(id, 'delivered');
    expect(attempts.length).toBeGreaterThanOrEqual(4);
    expect(attempts.map(({ outcome }) => outcome)).toEqual([
      ...attempts.slice(1).map(() => 'throttled'),
      'delivered',
    ]);
    attempts.slice(1).forEach(({ at }, n) => {
      expect(Date.parse(at) - Date.parse(attempts[n]?.['at'])).toBeGreaterThan(950);
    });
  });

  test('a channel whose adapter rejects the secret is found in Temporal with the reason', async () => {
    const conversation = await channel.begin('+31649000003');
    channel.adapter.behave((response, { method }) => response.writeHead(method === 'GET' ? 200 : 401).end());
    await reply(conversation, 'rejected');
    const shard = `delivery:${computeShard(channel.service, DELIVERY_SHARDS)}`;
    const details = await eventually(async () => {
      const text = await readDetails(temporal, shard);
      return text.includes('SMS by an adapter') && text;
    });
    expect(details).toMatch(/SMS by an adapter .*broken.*401/);
    await eventually(async () => {
      const { searchAttributes } = await temporal.workflow.getHandle(shard).describe();
      return JSON.stringify(searchAttributes).includes('SMS by an adapter');
    });
    channel.adapter.behave(respondWith(200));
    const { params } = channel;
    await admin.request('PATCH', `/services/${channel.service}`, { params });
    await eventually(async () => !(await readDetails(temporal, shard)).includes('SMS by an adapter'));
  });

  const isText = (text: string, body: string) => body.includes(`"text":"${text}"`);

  test('a message that the adapter does not take is given up after the last attempt, and the next message is sent', async () => {
    const conversation = await channel.begin('+31649000006');
    channel.adapter.behave((response, { body }) =>
      response.writeHead(isText('given up', body) ? 503 : 200).end(),
    );
    const id = await reply(conversation, 'given up');
    const next = await reply(conversation, 'behind it');
    const { delivery } = await untilDelivery(admin, id, 'failed');
    expect(delivery.error).toMatchObject({ code: 'given_up', message: expect.stringContaining('503') });
    await untilDelivery(admin, next, 'sent');
    const { attempts } = await untilEnded(id, 'failed');
    expect(attempts.map(({ status }) => status)).toEqual([503, 503]);
    expect((await admin.get(`/services/${channel.service}`)).body.status).toBe('active');
  });

  test('a message that is deleted while the adapter refuses it is not sent again, and the next message is sent', async () => {
    const conversation = await channel.begin('+31649000007');
    channel.adapter.behave((response, { body }) => {
      if (!isText('deleted', body)) return void response.writeHead(200).end();
      const { id } = JSON.parse(body).data.message;
      void admin.request('DELETE', `/messages/${id}`).then(() => response.writeHead(503).end());
    });
    const id = await reply(conversation, 'deleted');
    const next = await reply(conversation, 'not deleted');
    await untilDelivery(admin, next, 'sent');
    const { attempts } = await untilEnded(id, 'failed');
    const reason = 'deleted: The message was deleted.';
    expect(attempts).toMatchObject([{ status: 503 }, { outcome: 'refused', reason }]);
    expect(channel.sent().filter(({ body }) => isText('deleted', body))).toHaveLength(1);
    expect((await admin.get(`/messages/${id}`)).status).toBe(404);
  });

  test('a message that has waited for more than a day fails as expired, and is not sent', async () => {
    const conversation = await channel.begin('+31649000008');
    channel.adapter.behave((response, { body }) =>
      response.writeHead(isText('expired', body) ? 429 : 200, { 'retry-after': '3600' }).end(),
    );
    const id = await reply(conversation, 'expired');
    const delivery = `${id}-1:${channel.service}`;
    await eventually(async () => (await admin.get(`/deliveries/${delivery}`)).body.attemptCount === 1);
    const store = await MongoClient.connect(product.environment['MONGODB_URI'] ?? '');
    const createdAt = new Date(Date.now() - 24 * 3600_000 - 60_000);
    const deliveries = store.db().collection<{ _id: string }>('deliveries');
    await deliveries.updateOne({ _id: delivery }, { $set: { createdAt } });
    await store.close();
    await admin.post(`/deliveries/${delivery}/retry`);
    expect((await untilDelivery(admin, id, 'failed')).delivery.error.code).toBe('expired');
    await untilDelivery(admin, await reply(conversation, 'in time'), 'sent');
    expect(channel.sent().filter(({ body }) => isText('expired', body))).toHaveLength(1);
  });

  test('the secrets of channels are in no record of the store, no log, no trace and no history of a workflow', async () => {
    const conversation = await channel.begin('+31649000004');
    await untilDelivery(admin, await reply(conversation, 'signed'), 'sent');
    const { authToken, accountSid } = await useTwilio();
    const credentials = Buffer.from(`${accountSid}:${authToken}`).toString('base64');
    const secrets = [channel.secret.replace('whsec_', ''), authToken, credentials];
    const found = (text: string) => secrets.filter((secret) => text.includes(secret));
    const store = await MongoClient.connect(product.environment['MONGODB_URI'] ?? '');
    let [documents, hasText] = [0, false];
    for (const { name } of await store.db().listCollections().toArray()) {
      for (const document of await store.db().collection(name).find().toArray()) {
        const text = JSON.stringify(document);
        expect(found(text)).toEqual([]);
        documents += 1;
        if (text.includes('by SMS')) hasText = true;
      }
    }
    await store.close();
    expect(documents).toBeGreaterThan(20);
    expect(hasText).toBe(true);
    const histories = await eventually(async () => {
      const texts: string[] = [];
      for await (const { workflowId, runId } of temporal.workflow.list()) {
        texts.push(toSearchableText(await temporal.workflow.getHandle(workflowId, runId).fetchHistory()));
      }
      return texts.join().includes('by SMS') && texts;
    });
    expect(histories.length).toBeGreaterThan(2);
    expect(found(histories.join())).toEqual([]);
    const logs = product.api.output() + product.worker.output();
    expect([logs.includes('/services/:id/inbound'), found(logs)]).toEqual([true, []]);
    const isTraced = () => collector.spans.some(({ attributes }) => attributes['http.route'] === '/messages');
    await eventually(isTraced);
    expect(found(JSON.stringify(collector.spans))).toEqual([]);
  });

  /** Sends and receives an SMS by Twilio. */
  async function useTwilio(): Promise<FakeTwilio> {
    const [twilio, from] = [await new FakeTwilio('+31201110010').start(), '+31649000005'];
    const made = await admin.post('/services', { name: 'Twilio', type: 'twilio', params: twilio.params() });
    const { id } = await untilActive(admin, made);
    await twilio.receive(from, { Body: 'Hello' });
    await untilDelivery(admin, await reply(await findConversation(admin, from), 'by SMS'), 'sent');
    await admin.request('DELETE', `/services/${id}`);
    await twilio.close();
    return twilio;
  }
});
