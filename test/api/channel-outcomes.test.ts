import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiClient } from '../support/client.ts';
import { newChannel, findConversation, newEntry, untilDelivery } from '../support/channels.ts';
import type { TestChannel } from '../support/channels.ts';
import { eventually } from '../support/eventually.ts';
import { PNG, upload } from '../support/files.ts';
import type { Product } from '../support/product.ts';
import { respondWith, startReceiver } from '../support/receiver.ts';
import type { Received } from '../support/receiver.ts';
import { newUser, sharedApi } from '../support/shared-servers.ts';

/** Acceptance of channels (spec 15), beside test/api/channel-services.test.ts. */
describe('what a channel sends and receives', () => {
  let product: Product;
  let admin: ApiClient;
  let channel: TestChannel;
  let numbers = 0;

  beforeAll(async () => {
    product = await sharedApi('channel_outcomes');
    ({ admin } = product);
    channel = await newChannel(admin);
  });
  afterAll(async () => {
    await channel.close();
    await product.close();
  });

  const newNumber = () => `+31647${String(100_000 + (numbers += 1))}`;
  const messagesIn = async (conversation: string) =>
    (await admin.get(`/messages?conversation=${conversation}&sort=sequence`)).body as any[];
  const reply = async (conversation: string, text: string) =>
    (await admin.post('/messages', { conversation, text, role: 'agent' })).body.id as string;
  const countEntries = async () =>
    Number(
      (await admin.get(`/deliveries?direction=in&service=${channel.service}&limit=1`)).headers.get('x-total'),
    );

  test('a receipt that comes before the response of the adapter is kept, with the external id of the response', async () => {
    const conversation = await channel.begin(newNumber());
    channel.adapter.behave((response, { body }) => {
      const { id } = JSON.parse(body).data.message;
      void channel.report([{ message: id, status: 'delivered' }]).then(({ status }) => {
        response.writeHead(status === 202 ? 200 : 500).end('{"externalId":"SM7"}');
      });
    });
    const id = await reply(conversation, 'quick');
    const isRecorded = async () =>
      (await admin.get(`/deliveries/${id}-1:${channel.service}`)).body.status === 'delivered';
    await eventually(isRecorded);
    expect((await admin.get(`/messages/${id}`)).body.delivery).toMatchObject({
      status: 'delivered',
      externalId: 'SM7',
    });
    channel.adapter.behave(respondWith(200));
  });

  test('a post with three senders and seven messages is taken whole, and a post with nine receipts too', async () => {
    const senders = [newNumber(), newNumber(), newNumber()];
    const [ada = '', ben = '', cy = ''] = senders;
    const entry = (from: string, ...texts: string[]) => ({
      ...newEntry(from, ''),
      messages: texts.map((text) => ({ text })),
    });
    const entries = [entry(ada, '1', '2'), entry(ben, '1'), entry(ada, '3'), entry(cy, '1', '2', '3')];
    expect((await channel.receive(entries)).body).toEqual({ accepted: 4 });
    for (const [from, count] of [
      [ada, 3],
      [ben, 1],
      [cy, 3],
    ] as const) {
      const conversation = await findConversation(admin, from);
      await eventually(async () => (await messagesIn(conversation)).length >= count);
      const texts = (await messagesIn(conversation)).map(({ text }) => text as string);
      expect(texts).toEqual(Array.from({ length: count }, (_, at) => String(at + 1)));
    }
    const conversation = await findConversation(admin, ada);
    const ids: string[] = [];
    for (const text of ['a', 'b', 'c']) ids.push(await reply(conversation, text));
    for (const id of ids) await untilDelivery(admin, id, 'sent');
    const receipts = ['sent', 'read', 'delivered'].flatMap((status) =>
      ids.map((message) => ({ message, status })),
    );
    expect((await channel.report(receipts)).body).toEqual({ accepted: 9, unknown: 0 });
    for (const id of ids)
      expect((await admin.get(`/messages/${id}`)).body).toMatchObject({ delivery: { status: 'read' } });
  });

  test('STOP of a sender bars the next message to this sender, and START permits it', async () => {
    const from = newNumber();
    const conversation = await channel.begin(from);
    const write = (text: string, optedOut: boolean) => {
      const entry = newEntry(from, text);
      return channel.receive([{ ...entry, from: { ...entry.from, optedOut } }]);
    };
    const post = () => admin.post('/messages', { conversation, text: 'an offer', role: 'agent' });
    await write('STOP', true);
    const refused = await eventually(async () => {
      const answer = await post();
      return answer.status === 422 && answer;
    });
    expect(refused.body.code).toBe('opted_out');
    await write('START', false);
    const { body } = await eventually(async () => {
      const answer = await post();
      return answer.status === 201 && answer;
    });
    await untilDelivery(admin, body.id, 'sent');
    const texts = (await messagesIn(conversation)).map(({ text }) => text as string);
    expect(texts).toEqual(expect.arrayContaining(['STOP', 'START']));
  });

  test('a file that an adapter uploads is shown with its type, and is removed with the conversation', async () => {
    const from = newNumber();
    const conversation = await channel.begin(from);
    const bot = await newUser(product, { role: 'bot' });
    const file = await upload(`${product.base}/files?conversation=${conversation}&name=a.png`, PNG, {
      token: bot.token,
    });
    expect(file.status).toBe(201);
    await channel.receive([newEntry(from, file.body.url)], bot);
    const message = await eventually(async () => (await messagesIn(conversation))[1]);
    expect(message).toMatchObject({
      ...{ text: file.body.url, contentType: 'image/png', role: 'contact' },
      meta: { media: { name: 'a.png', type: 'image/png', bytes: PNG.length } },
    });
    await admin.request('DELETE', `/conversations/${conversation}`);
    await eventually(async () => (await fetch(file.body.url)).status === 404);
  });

  test('a post without a token, below scope bot, or of another organization stores nothing', async () => {
    const before = await countEntries();
    const guest = await newUser(product, { role: 'viewer' });
    const { body } = await admin.post('/organizations', { name: 'beside' });
    const stranger = await newUser(product, { role: 'bot', organization: body.id });
    const from = newNumber();
    const address = `${product.base}/services/${channel.service}/inbound`;
    const bare = await fetch(address, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ entries: [newEntry(from, 'forged')] }),
    });
    const below = await channel.receive([newEntry(from, 'forged')], guest);
    const outside = await channel.receive([newEntry(from, 'forged')], stranger);
    expect([bare.status, below.status, outside.status]).toEqual([401, 403, 404]);
    expect(await countEntries()).toBe(before);
  });

  test('a webhook event of a conversation without channels is the same with and without a channel of the organization', async () => {
    const plain = (await admin.post('/organizations', { name: 'plain' })).body.id as string;
    const [besideChannel, withoutChannel] = [await eventIn(product.organization), await eventIn(plain)];
    expect(JSON.parse(besideChannel)).toEqual(JSON.parse(withoutChannel));
    expect(besideChannel).toBe(withoutChannel);
  });

  /** Returns the body of a webhook for a reply, with ids and times replaced. */
  async function eventIn(organization: string): Promise<string> {
    const hook = await startReceiver();
    const params = { url: hook.url, events: ['message.create.*'] };
    const service = await admin.post('/services', { name: 'hook', type: 'webhook', organization, params });
    const conversation = (await admin.post('/conversations', { name: 'talk', organization })).body.id;
    await admin.post('/messages', { conversation, text: 'Hi', role: 'agent' });
    const isOfTalk = ({ body }: Received) => body.includes(`"conversation":"${conversation}"`);
    const { body } = await eventually(() => hook.received.find(isOfTalk));
    await admin.request('DELETE', `/services/${service.body.id}`);
    await hook.close();
    return body
      .replaceAll(/[0-9a-f]{24}/g, 'ID')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
      .replaceAll(/"slug":"[^"]+"/g, '"slug":"S"')
      .replaceAll(/\/c\/[\w-]+(#[\w-]+)?/g, '/c/S');
  }
});
