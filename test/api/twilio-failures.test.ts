import { MongoClient } from 'mongodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findConversation, untilDelivery } from '../support/channels.ts';
import type { ApiClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { FakeTwilio } from '../support/fake-twilio.ts';
import type { TakenMessage } from '../support/fake-twilio.ts';
import type { Product } from '../support/product.ts';
import { sharedApi } from '../support/shared-servers.ts';

/** Sections 15.8 and 15.9 of the specification, beside test/api/twilio.test.ts. */
describe('SMS by Twilio after a failure', () => {
  let product: Product;
  let admin: ApiClient;
  let twilio: FakeTwilio;
  let service: string;
  let numbers = 0;

  beforeAll(async () => {
    product = await sharedApi('twilio_failures');
    ({ admin } = product);
  });
  // A test may leave the channel disabled.
  beforeEach(async () => {
    twilio = await new FakeTwilio('+31201110020').start();
    const made = await admin.post('/services', { name: 'SMS', type: 'twilio', params: twilio.params() });
    expect([made.status, made.body.status]).toEqual([201, 'active']);
    service = made.body.id as string;
  });
  afterEach(async () => {
    expect(twilio.violations).toEqual([]);
    await admin.request('DELETE', `/services/${service}`);
    await twilio.close();
  });
  afterAll(() => product.close());

  /** Returns a new contact who has written an SMS. */
  async function writeSms() {
    const from = `+3163${String(10_000_000 + (numbers += 1)).slice(1)}`;
    expect((await twilio.receive(from, { Body: 'Hello' })).status).toBe(200);
    return { from, conversation: await findConversation(admin, from) };
  }
  const reply = async (conversation: string, text: string) =>
    (await admin.post('/messages', { conversation, text, role: 'agent' })).body.id as string;
  const bodiesTo = (from: string) => twilio.taken(from).map(({ body }) => body);
  const deliveryOf = async (message: string) => (await admin.get(`/deliveries/${message}-1:${service}`)).body;
  const sendAgain = async (message: string) => {
    const { status } = await admin.post(`/deliveries/${message}-1:${service}/retry`);
    expect(status).toBe(200);
  };
  const untilText = (conversation: string, text: string) =>
    eventually(async () => {
      const { body } = await admin.get(`/conversations/${conversation}/messages`);
      return (body as { text: string }[]).some((one) => one.text === text);
    });
  /** Returns the status of the delivery of an SMS that Twilio posted. */
  const findPost = async (MessageSid: string) => {
    const { body } = await admin.get(`/deliveries?direction=in&service=${service}&limit=100`);
    for (const { id } of body as { id: string }[]) {
      const post = (await admin.get(`/deliveries/${id}`)).body;
      if (post.entry?.id === MessageSid) return post;
    }
    return null;
  };

  test('an SMS to a channel that Parlance disabled for its failures is posted', async () => {
    const { from, conversation } = await writeSms();
    const store = await MongoClient.connect(product.environment['MONGODB_URI'] ?? '');
    const disabled = { status: 'disabled', statusReason: 'No delivery succeeded in five days.' };
    await store.db().collection<{ _id: string }>('services').updateOne({ _id: service }, { $set: disabled });
    await store.close();
    expect((await twilio.receive(from, { Body: 'Are you there?' })).status).toBe(200);
    await untilText(conversation, 'Are you there?');
    expect((await admin.get(`/services/${service}`)).body.status).toBe('disabled');
  });

  test('an SMS to a paused channel waits, and is posted when the channel is active again', async () => {
    const { from, conversation } = await writeSms();
    await admin.request('PATCH', `/services/${service}`, { status: 'disabled' });
    const MessageSid = `SM${'1'.repeat(32)}`;
    expect((await twilio.receive(from, { Body: 'Still there?', MessageSid })).status).toBe(200);
    // A delivery that is held has a time of removal.
    const held = await eventually(async () => {
      const post = await findPost(MessageSid);
      return post?.expiresAt !== undefined && post;
    });
    expect(held).toMatchObject({ status: 'pending', attempts: [] });
    const resumed = await admin.request('PATCH', `/services/${service}`, { status: 'active' });
    expect(resumed.body.status).toBe('active');
    await untilText(conversation, 'Still there?');
  });

  test('a response with status 410 and no error of Twilio does not disable the channel, and the message is sent', async () => {
    const { from, conversation } = await writeSms();
    twilio.next.set('through a proxy', [{ status: 410 }]);
    const id = await reply(conversation, 'through a proxy');
    await untilDelivery(admin, id, 'sent');
    expect(bodiesTo(from)).toEqual(['through a proxy']);
    const { attempts } = await eventually(async () => {
      const delivery = await deliveryOf(id);
      return delivery.status === 'delivered' && delivery;
    });
    expect(attempts).toMatchObject([{ outcome: 'unreachable', status: 410 }, { outcome: 'delivered' }]);
    expect((await admin.get(`/services/${service}`)).body.status).toBe('active');
  });

  const LONG = Array.from({ length: 400 }, (_, at) => `word${at}`).join(' ');

  /** Sends the long message, and returns its parts. */
  async function sendLong(conversation: string, from: string) {
    await untilDelivery(admin, await reply(conversation, LONG), 'sent');
    const [first = '', second = ''] = bodiesTo(from);
    expect(`${first} ${second}`).toBe(LONG);
    return [first, second] as const;
  }

  test('a long message is sent whole after an outage, although an equal message was sent before', async () => {
    const { from, conversation } = await writeSms();
    const [first, second] = await sendLong(conversation, from);
    twilio.next.set(first, [{ status: 503 }]);
    const { delivery } = await untilDelivery(admin, await reply(conversation, LONG), 'sent');
    expect(bodiesTo(from)).toEqual([first, second, first, second]);
    expect(delivery.externalId).toBe(twilio.taken(from)[3]?.sid);
  });

  test('a message is sent after an outage, although an equal message was sent before and then deleted', async () => {
    const { from, conversation } = await writeSms();
    const deleted = await reply(conversation, 'twice');
    await untilDelivery(admin, deleted, 'sent');
    expect((await admin.request('DELETE', `/messages/${deleted}`)).status).toBe(204);
    twilio.next.set('twice', [{ status: 503 }]);
    const { delivery } = await untilDelivery(admin, await reply(conversation, 'twice'), 'sent');
    expect(bodiesTo(from)).toEqual(['twice', 'twice']);
    expect(delivery.externalId).toBe(twilio.taken(from)[1]?.sid);
  });

  test('a failed message that is sent again is a new SMS, also after a response without effect', async () => {
    const { from, conversation } = await writeSms();
    const id = await reply(conversation, 'again');
    await untilDelivery(admin, id, 'sent');
    await twilio.report(twilio.taken(from)[0]!, 'undelivered', '30003');
    await untilDelivery(admin, id, 'failed');
    twilio.next.set('again', [{ status: 503 }]);
    await sendAgain(id);
    const { delivery } = await untilDelivery(admin, id, 'sent');
    expect(bodiesTo(from)).toEqual(['again', 'again']);
    expect(delivery.externalId).toBe(twilio.taken(from)[1]?.sid);
  });

  test('a message that is sent again is found by its new SMS if the response is lost, and sent once', async () => {
    const { from, conversation } = await writeSms();
    const id = await reply(conversation, 'once more');
    await untilDelivery(admin, id, 'sent');
    await twilio.report(twilio.taken(from)[0]!, 'undelivered', '30003');
    await untilDelivery(admin, id, 'failed');
    const early = (message: TakenMessage) => twilio.report(message, 'delivered');
    twilio.next.set('once more', [{ status: 503, take: true, before: early }]);
    await sendAgain(id);
    const isRecorded = async () => (await deliveryOf(id)).status === 'delivered';
    await eventually(isRecorded);
    expect(bodiesTo(from)).toEqual(['once more', 'once more']);
    const { delivery } = (await admin.get(`/messages/${id}`)).body;
    expect(delivery).toMatchObject({ status: 'delivered', externalId: twilio.taken(from)[1]?.sid });
  });

  test('a long message whose first part failed is sent again from its first part', async () => {
    const { from, conversation } = await writeSms();
    const [first, second] = await sendLong(conversation, from);
    const fail = () => twilio.report(twilio.taken(from)[2]!, 'undelivered', '30003');
    twilio.next.set(second, [{ status: 503, before: fail }]);
    const id = await reply(conversation, LONG);
    await untilDelivery(admin, id, 'failed');
    await eventually(async () => (await deliveryOf(id)).status === 'failed');
    expect(bodiesTo(from)).toEqual([first, second, first]);
    await sendAgain(id);
    await untilDelivery(admin, id, 'sent');
    expect(bodiesTo(from)).toEqual([first, second, first, first, second]);
  });
});
