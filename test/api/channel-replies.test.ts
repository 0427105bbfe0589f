import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newChannel } from '../support/channel.ts';
import type { TestChannel } from '../support/channel.ts';
import type { ApiClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import type { Product } from '../support/product.ts';
import { newUser, sharedApi } from '../support/shared-servers.ts';

/** Spec 15.2, 15.5. */
describe('a reply by a channel', () => {
  let product: Product;
  let admin: ApiClient;
  let channel: TestChannel;

  beforeAll(async () => {
    product = await sharedApi('channel_replies');
    ({ admin } = product);
  });
  afterAll(() => product.close());
  beforeEach(async () => {
    channel = await newChannel(product);
    return () => channel.close();
  });

  const carriersOf = async (conversation: string, by = admin) =>
    (await by.get(`/conversations/${conversation}/carriers`)).body as any[];
  const reply = async (conversation: string, text: string) =>
    (await admin.post('/messages', { conversation, text, role: 'agent' })).body.id as string;
  const failed = (message: string) =>
    eventually(async () => {
      const { body } = await admin.get(`/messages/${message}`);
      return body.delivery?.status === 'failed' && body.delivery.error;
    });

  test('an agent reads which channels may carry a reply, by which it goes, and what bars it', async () => {
    const agent = await newUser(product, { role: 'agent' });
    const { from, conversation } = await channel.write('Hello');
    const shared = { service: channel.id, name: 'Support number', type: 'api', touchpoint: 'sms' };
    const open = { ...shared, status: 'active', address: from, isDefault: true };
    expect(await carriersOf(conversation, agent)).toEqual([open]);
    await channel.write('STOP', from, { optedOut: true });
    await eventually(async () => (await carriersOf(conversation))[0].refusal?.code === 'opted_out');
    await channel.write('START', from, { optedOut: false });
    await eventually(async () => !(await carriersOf(conversation))[0].refusal);
    const email = { profile: { email: `${channel.id}@example.com` } };
    const web = await admin.post('/conversations', { type: 'contact', contact: email });
    expect(await carriersOf(web.body.id)).toMatchObject([
      { service: channel.id, isDefault: false, refusal: { code: 'no_address' } },
    ]);
    const { body: lonely } = await admin.post('/conversations', { name: 'without a contact' });
    expect(await carriersOf(lonely.id)).toEqual([]);
  });

  test('the messages that wait for a deleted channel fail', async () => {
    channel.adapter.behave((response) => response.writeHead(503).end());
    const { conversation } = await channel.write('Hello');
    const [first, second] = [await reply(conversation, 'first'), await reply(conversation, 'second')];
    await eventually(() => channel.adapter.received.some(({ body }) => body.includes('first')));
    await admin.request('DELETE', `/services/${channel.id}`);
    expect(await failed(first)).toMatchObject({ code: 'service_deleted' });
    expect(await failed(second)).toMatchObject({ code: 'service_deleted' });
  });

  test('the messages that a failed channel has held fail when it is deleted', async () => {
    channel.adapter.behave((response, { method }) => response.writeHead(method === 'GET' ? 200 : 401).end());
    const { conversation } = await channel.write('Hello');
    const message = await reply(conversation, 'held');
    await eventually(async () => (await admin.get(`/services/${channel.id}`)).body.status === 'failed');
    await admin.request('DELETE', `/services/${channel.id}`);
    expect(await failed(message)).toMatchObject({ code: 'service_deleted' });
  });

  test('the messages of a disabled channel fail, and are queued again when they are sent again', async () => {
    channel.adapter.behave((response, { method }) => response.writeHead(method === 'GET' ? 200 : 410).end());
    const { conversation } = await channel.write('Hello');
    const message = await reply(conversation, 'not any more');
    await eventually(async () => (await admin.get(`/services/${channel.id}`)).body.status === 'disabled');
    await failed(message);
    channel.adapter.behave((response) => response.writeHead(200).end());
    await admin.request('PATCH', `/services/${channel.id}`, { status: 'active' });
    await admin.post(`/services/${channel.id}/replay`, { since: '2020-01-01' });
    await eventually(async () => (await admin.get(`/messages/${message}`)).body.delivery.status === 'sent');
  });
});
