import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { verifyWebhook } from '@parlance/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../deploy/local/ports.ts';
import { eventually } from '../support/eventually.ts';
import { newUser } from '../support/shared-servers.ts';
import { respondWith, startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { commandDesk } from './command.ts';
import type { Desk } from './command.ts';

const SECRET = `whsec_${Buffer.from('a secret of the session!').toString('base64')}`;

let desk: Desk;

beforeAll(async () => {
  desk = await commandDesk('client_listen');
});

afterAll(() => desk.close());

describe('parlance webhooks listen', () => {
  const posts = (receiver: Receiver) => receiver.received.filter(({ method }) => method === 'POST');
  const textsOf = (receiver: Receiver) =>
    posts(receiver).map(({ body }) => JSON.parse(body).data.message.text as string);

  async function listen(url: string, events = 'message.create.contact.chat.contact') {
    const one = desk.begin([
      'webhooks',
      'listen',
      '--forward-to',
      url,
      '--events',
      events,
      '--secret',
      SECRET,
    ]);
    await eventually(() => one.err().includes('Listening')).catch(() => expect(one.err()).toBe(''));
    return one;
  }

  test('parlance webhooks listen forwards the body and the headers of a real webhook, with a valid signature', async () => {
    const [real, local] = [await startReceiver(), await startReceiver()];
    const params = { url: real.url, secret: SECRET, events: ['message.create.contact.chat.contact'] };
    const service = await desk.product.admin.post('/services', { name: 'real', type: 'webhook', params });
    const listening = await listen(local.url);
    await desk.says(await desk.newConversation(), 'Grüße');
    const [[sent], [brought]] = await eventually(() => {
      const both = [posts(real), posts(local)] as const;
      return both.every((one) => one.length > 0) && both;
    });
    expect(brought!.body).toBe(sent!.body);
    const varying = [
      'host',
      'connection',
      'webhook-timestamp',
      'webhook-signature',
      'content-length',
      'user-agent',
    ];
    const ofHttp = ['accept', 'accept-language', 'sec-fetch-mode', 'accept-encoding', 'traceparent'];
    const same = (headers: object) =>
      Object.fromEntries(Object.entries(headers).filter(([name]) => ![...varying, ...ofHttp].includes(name)));
    expect(same(brought!.headers)).toEqual(same(sent!.headers));
    const { version } = JSON.parse(readFileSync('packages/cli/package.json', 'utf8')) as { version: string };
    expect(brought!.headers['user-agent']).toBe(`Parlance/${version}`);
    const sha1 = createHmac('sha1', SECRET).update(brought!.body).digest('hex');
    expect(brought!.headers['x-hub-signature']).toBe(`sha1=${sha1}`);
    await expect(verifyWebhook(brought!, SECRET)).resolves.toMatchObject({
      id: brought!.headers['webhook-id'],
    });
    expect(local.received[0]).toMatchObject({
      method: 'GET',
      path: expect.stringContaining('type=subscribe'),
    });
    expect(await listening.stop()).toBe(0);
    await desk.product.admin.request('DELETE', `/services/${service.body.id}`);
    const left = await desk.product.admin.get('/services');
    expect(left.body.map(({ name }: { name: string }) => name)).toEqual([]);
    await Promise.all([real.close(), local.close()]);
  });

  test('parlance webhooks listen keeps all events in order while Parlance or the bot is unreachable', async () => {
    const port = await freePort();
    let bot = await startReceiver({ port });
    const listening = await listen(bot.url);
    const conversation = await desk.newConversation();
    await desk.says(conversation, 'message 1');
    await eventually(() => textsOf(bot).length >= 1);
    desk.proxy.weather({ kind: 'cut' });
    for (const number of [2, 3]) await desk.says(conversation, `message ${number}`);
    await eventually(() => listening.err().includes('Missed events follow later'));
    desk.proxy.weather({ kind: 'clear' });
    await eventually(() => textsOf(bot).length >= 3);
    const heard = textsOf(bot);
    await bot.close();
    for (const number of [4, 5]) await desk.says(conversation, `message ${number}`);
    await eventually(() => listening.err().includes('does not respond'));
    bot = await startReceiver({ port });
    await eventually(() => textsOf(bot).length >= 2);
    expect([...heard, ...textsOf(bot)]).toEqual([1, 2, 3, 4, 5].map((number) => `message ${number}`));
    expect(await listening.stop()).toBe(0);
    await bot.close();
  });

  test('parlance webhooks listen posts the messages of a response once and prints refusals', async () => {
    const bot = await newUser(desk.product, { role: 'bot' });
    const local = await startReceiver();
    local.behave(respondWith(200, JSON.stringify({ token: bot.token, messages: [{ text: 'heard you' }] })));
    const listening = await listen(local.url);
    const conversation = await desk.newConversation();
    await desk.says(conversation, 'Hello');
    await eventually(() => listening.out().includes('→ posted 1'));
    const messages = (await desk.product.admin.get(`/messages?conversation=${conversation}&sort=sequence`))
      .body;
    expect(messages.map(({ text }: { text: string }) => text)).toEqual(['Hello', 'heard you']);
    expect(messages[1].createdBy).toBe(bot.user);
    local.behave(respondWith(200, JSON.stringify({ token: bot.token, messages: [{ text: '' }] })));
    await desk.says(conversation, 'And now?');
    await eventually(() => listening.out().includes('→ refused'));
    local.behave(respondWith(500));
    await desk.says(conversation, 'And at last?');
    await eventually(() => /^500 message\.create/m.test(listening.out()));
    // The number in this line belongs to the event. `conversations tail` prints the sequence of a
    // message as `#1`.
    expect(listening.out()).toMatch(/^200 message\.create\S+ [0-9a-f]{24} event \d+ → posted 1/m);
    expect(await listening.stop()).toBe(0);
    await local.close();
  });

  test('parlance webhooks listen requires the key of an admin, and otherwise prints the refusal and exits with 1', async () => {
    const bot = await newUser(desk.product, { role: 'bot' });
    const args = ['webhooks', 'listen', '--forward-to', 'http://127.0.0.1:9', '--json'];
    const { code, err } = await desk.run(args, { PARLANCE_API_KEY: bot.token });
    expect([code, JSON.parse(err)]).toMatchObject([1, { status: 403, code: 'forbidden' }]);
  });
});
