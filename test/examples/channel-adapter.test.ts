import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../deploy/local/ports.ts';
import type { ApiClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { listensOn } from '../support/listening-ports.ts';
import { onFreePorts, untilStarted } from '../support/product.ts';
import type { Product } from '../support/product.ts';
import { startProgram } from '../support/program.ts';
import type { Program } from '../support/program.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { untilActive } from '../support/services.ts';
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
    provider = await startReceiver({ takesAll: true });
    provider.behave((response, { body }) => {
      const { text } = JSON.parse(body) as Sms;
      const status = responses.get(text)?.shift() ?? 201;
      const answer =
        status === 201 ? { id: `SM ${text}` } : { error: { code: '21211', message: 'Invalid.' } };
      response.writeHead(status).end(JSON.stringify(answer));
    });
    const bot = await newUser(product, { role: 'bot' });
    // The adapter needs the id of its service, and the service the address of the adapter. Another
    // receiver keeps the port until the adapter is started.
    const placeholder = await onFreePorts(async () =>
      startReceiver({ port: await freePort(), host: '127.0.0.1' }),
    );
    address = new URL(placeholder.url).origin;
    const params = { url: `${address}/parlance`, secret: SECRET, touchpoint: 'sms' };
    const made = await admin.post('/services', { name: 'SMS', type: 'api', params });
    const { id } = (await untilActive(admin, made)) as { id: string };
    await placeholder.close();
    await onFreePorts(() => startAdapter({ SERVICE: id, PARLANCE_TOKEN: bot.token }));
    await untilActive(admin, await admin.post(`/services/${id}/verify`));
  });
  afterAll(async () => {
    adapter.signal('SIGKILL');
    await adapter.ended;
    await provider.close();
    await product.close();
  });

  async function startAdapter(env: { SERVICE: string; PARLANCE_TOKEN: string }): Promise<void> {
    adapter = startProgram('python3', {
      args: ['examples/channel-adapter.py'],
      env: {
        ...{ ...env, PATH: process.env['PATH'], PARLANCE_URL: product.base, SECRET },
        ...{ PROVIDER: new URL(provider.url).origin, PORT: new URL(address).port },
      },
    });
    const { pid, ended, output, signal } = adapter;
    const kill = () => {
      signal('SIGKILL');
      return ended;
    };
    await untilStarted(
      [{ ended, output, kill }],
      async () => (await fetch(address)).ok && (await listensOn(pid, new URL(address).port)),
    );
  }

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
    const said = taken.map(({ text }) => text);
    expect([...new Set(said)]).toEqual(texts);
    const fourths = said.slice(0, said.indexOf('reply 5')).filter((text) => text === 'reply 4');
    expect(fourths.length).toBeGreaterThanOrEqual(3);
    // A repeated SMS has the same key, by which the provider ignores it.
    expect(new Set(taken.map(({ key }) => key)).size).toBe(texts.length);
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
