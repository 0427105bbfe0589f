import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../deploy/local/ports.ts';
import type { ApiClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import type { Product } from '../support/product.ts';
import { startProgram } from '../support/program.ts';
import type { Program } from '../support/program.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { newUser, sharedApi } from '../support/shared-servers.ts';

interface Sms {
  key: string;
  message: string;
  to: string;
  text: string;
}

const SECRET = 'whsec_c2VjcmV0LW9mLWF0LWxlYXN0LTI0LWJ5dGVz';

/** Chapter 15 of the specification, by the adapter in Python of the guide. */
describe('the adapter in Python', () => {
  let product: Product;
  let admin: ApiClient;
  let provider: Receiver;
  let adapter: Program;
  let address: string;
  /** Statuses with which the provider responds next, by the text of the SMS. */
  const responses = new Map<string, number[]>();

  beforeAll(async () => {
    product = await sharedApi('channel_adapter');
    ({ admin } = product);
    provider = await startReceiver();
    provider.behave((response, { body }) => {
      const { text } = JSON.parse(body) as Sms;
      const status = responses.get(text)?.shift() ?? 201;
      const answer =
        status === 201 ? { id: `SM ${text}` } : { error: { code: '21211', message: 'Invalid.' } };
      response.writeHead(status).end(JSON.stringify(answer));
    });
    const port = await freePort();
    address = `http://127.0.0.1:${port}`;
    const params = { url: `${address}/parlance`, secret: SECRET, touchpoint: 'sms' };
    const { body } = await admin.post('/services', { name: 'SMS', type: 'api', params });
    const bot = await newUser(product, { role: 'bot' });
    adapter = startProgram('python3', {
      args: ['examples/channel-adapter.py'],
      env: {
        ...{ PATH: process.env['PATH'], PARLANCE_URL: product.base, PARLANCE_TOKEN: bot.token },
        ...{ SERVICE: body.id as string, SECRET, PROVIDER: new URL(provider.url).origin, PORT: String(port) },
      },
    });
    await eventually(async () => (await fetch(address)).ok);
    const verified = await admin.post(`/services/${body.id}/verify`);
    expect(verified.body.status).toBe('active');
  });
  afterAll(async () => {
    adapter.signal('SIGKILL');
    await adapter.ended;
    await provider.close();
    await product.close();
  });

  const fromProvider = async (event: object) =>
    (await fetch(`${address}/provider`, { method: 'POST', body: JSON.stringify(event) })).status;
  const sentSms = () => provider.received.map(({ body }) => JSON.parse(body) as Sms);
  const messagesOf = async (conversation: string) =>
    (await admin.get(`/conversations/${conversation}/messages?sort=sequence`)).body as any[];
  const findConversation = (telephone: string) =>
    eventually(async () => {
      const { body } = await admin.get(`/contacts?profile.telephone=${encodeURIComponent(telephone)}`);
      const conversation = (body as { conversation?: string }[])[0]?.conversation;
      return conversation !== undefined && (await messagesOf(conversation)).length > 0 && conversation;
    });
  const statusOf = async (message: string) =>
    (await admin.get(`/messages/${message}`)).body.delivery?.status as string;

  test('an SMS that the provider posts twenty times at once is one message of a new contact', async () => {
    const sms = { id: randomUUID(), from: '+31611110001', text: 'Hello' };
    const statuses = await Promise.all(Array.from({ length: 20 }, () => fromProvider(sms)));
    expect(new Set(statuses)).toEqual(new Set([202]));
    const conversation = await findConversation(sms.from);
    await fromProvider({ ...sms, id: randomUUID(), text: 'Still there?' });
    await eventually(async () => (await messagesOf(conversation)).length >= 2);
    expect(await messagesOf(conversation)).toMatchObject([
      { text: 'Hello', role: 'contact', touchpoint: 'sms' },
      { text: 'Still there?' },
    ]);
  });

  test('ten replies arrive in order although the provider fails twice, and an invalid number blocks nothing', async () => {
    const from = '+31611110002';
    await fromProvider({ id: randomUUID(), from, text: 'Hello' });
    const conversation = await findConversation(from);
    const texts = Array.from({ length: 10 }, (_, at) => `reply ${at + 1}`);
    responses.set('reply 4', [503, 503]);
    responses.set('reply 7', [422]);
    const { body } = await admin.post(
      '/messages',
      texts.map((text) => ({ conversation, text, role: 'agent' })),
    );
    const ids = (body as { id: string }[]).map(({ id }) => id);
    await eventually(async () => (await statusOf(ids[9]!)) === 'sent');
    const taken = sentSms().filter(({ to }) => to === from);
    expect(taken.map(({ text }) => text)).toEqual(
      texts.flatMap((text, at) => (at === 3 ? [text, text, text] : text)),
    );
    expect(new Set(taken.filter(({ text }) => text === 'reply 4').map(({ key }) => key)).size).toBe(1);
    expect(await statusOf(ids[6]!)).toBe('failed');
  });

  test('receipts that come doubled and in the wrong order never lower the status of a message', async () => {
    const from = '+31611110003';
    await fromProvider({ id: randomUUID(), from, text: 'Hello' });
    const conversation = await findConversation(from);
    const { id } = (await admin.post('/messages', { conversation, text: 'read me', role: 'agent' })).body;
    await eventually(async () => (await statusOf(id)) === 'sent');
    for (const status of ['read', 'delivered', 'read', 'failed', 'sent']) {
      expect(await fromProvider({ id: 'SM read me', message: id, status })).toBe(202);
    }
    expect(await statusOf(id)).toBe('read');
  });

  test('a message with a wrong signature does not reach the provider', async () => {
    const before = sentSms().length;
    const response = await fetch(`${address}/parlance`, { method: 'POST', body: '{}' });
    expect([response.status, sentSms().length]).toEqual([401, before]);
  });
});
