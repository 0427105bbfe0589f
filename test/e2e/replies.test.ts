import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import type { KeyHolder } from '../support/shared-servers.ts';
import { arrivals } from '../support/arrivals.ts';
import { eventually } from '../support/eventually.ts';
import type { Product } from '../support/product.ts';
import { respondWith, startReceiver } from '../support/receiver.ts';
import type { Behaviour, Receiver } from '../support/receiver.ts';

let product: Product;
let bot: KeyHolder;
let receiver: Receiver;
let service: string;

beforeAll(async () => {
  product = await sharedApi('replies');
});

afterAll(() => product.close());

beforeEach(async () => {
  receiver = await startReceiver();
  bot = await newUser(product, { role: 'bot' });
  const { body } = await product.admin.post('/services', {
    ...{ name: 'a bot that answers', type: 'webhook', user: bot.user },
    params: { url: receiver.url, events: ['message.create.*.chat.contact'] },
  });
  service = body.id;
});

afterEach(() => receiver.close());

const reply = (messages: unknown, token = bot.token): Behaviour =>
  respondWith(200, JSON.stringify({ token, messages }), { 'content-type': 'application/json' });

/** Creates a conversation with the bot as participant. */
async function talk(): Promise<string> {
  return (await bot.post('/conversations', { name: 'a talk' })).body.id;
}

const say = (conversation: string, text: string) =>
  product.admin.post('/messages', { conversation, text, role: 'contact' });

async function messagesOf(conversation: string): Promise<any[]> {
  return (await product.admin.get(`/messages?conversation=${conversation}&sort=sequence`)).body;
}

/**
 * Waits until the service has `count` deliveries and the latest delivery is not pending. Returns
 * the latest delivery.
 */
async function deliveryDone(count = 1): Promise<any> {
  const { id } = await eventually(async () => {
    const { body } = await product.admin.get(`/deliveries?service=${service}&sort=-createdAt`);
    return body.length >= count && body[0].status !== 'pending' && body[0];
  });
  return (await product.admin.get(`/deliveries/${id}`)).body;
}

describe('a reply in the response to a webhook', () => {
  test('a reply in the response to a webhook is posted in order, as the user of its token, and may use all fields of messages', async () => {
    receiver.behave(reply([{ text: 'Hello!' }, { type: 'command', text: '/set language nl' }]));
    const conversation = await talk();
    await say(conversation, 'hi');
    await eventually(async () => (await messagesOf(conversation)).length >= 3);
    const [, first, second] = await messagesOf(conversation);
    expect(first).toMatchObject({
      text: 'Hello!',
      role: 'bot',
      user: bot.user,
      createdBy: bot.user,
      sequence: 2,
    });
    expect(second).toMatchObject({ type: 'command', sequence: 3 });
    expect((await product.admin.get(`/conversations/${conversation}`)).body.language).toBe('nl');
    const delivery = await deliveryDone();
    expect(delivery.attempts).toMatchObject([{ outcome: 'delivered', reply: 'Posted 2 messages.' }]);
    expect(JSON.stringify(delivery)).not.toContain(bot.token);
    expect(delivery.attempts[0].response).toContain('"token":"[token]"');
  });

  test('a reply in the response to a webhook is decoded by charset and compression, and the attempt records a decoding error', async () => {
    const said = JSON.stringify({ token: bot.token, messages: [{ text: 'Grüße' }] });
    const raw = (body: Buffer, headers: Record<string, string> = {}): Behaviour => {
      return (response) => void response.writeHead(200, headers).end(body);
    };
    const cases: [Behaviour, RegExp][] = [
      [raw(Buffer.from(`\ufeff${said}`)), /^Posted 1 message\.$/],
      [raw(gzipSync(said), { 'content-encoding': 'gzip' }), /^Posted 1 message\.$/],
      [raw(Buffer.from(`\ufeff${said}`, 'utf16le')), /^Posted 1 message\.$/],
      [raw(Buffer.from(said, 'latin1'), { 'content-type': 'a/b; charset=latin1' }), /^Posted 1 message\.$/],
      [raw(Buffer.from(said, 'latin1')), /not valid UTF-8/],
      [raw(Buffer.from(said.slice(0, -1))), /not valid JSON/],
      [raw(Buffer.from(`)]}',\n${said}`)), /not valid JSON/],
      [respondWith(201, said), /^Posted 1 message\.$/],
      [respondWith(202, said), /^Posted 1 message\.$/],
    ];
    const conversation = await talk();
    for (const [at, [behaviour, words]] of cases.entries()) {
      receiver.behave(behaviour);
      await say(conversation, `case ${at}`);
      const { attempts } = await deliveryDone(at + 1);
      expect(attempts[0].reply).toMatch(words);
      expect(JSON.stringify(attempts)).not.toMatch(/plk_|eyJ/);
    }
    const replies = (await messagesOf(conversation)).filter(({ role }) => role === 'bot');
    expect(replies.map(({ text }) => text)).toEqual(Array(6).fill('Grüße'));
  });

  test('a mistyped field in the reply to a webhook is named in the attempt', async () => {
    receiver.behave(reply([{ text: 'hidden', isBackChannel: false }]));
    await say(await talk(), 'hi');
    const { attempts } = await deliveryDone();
    expect(attempts[0].reply).toBe(
      'Posted 1 message. Ignored: messages.0.isBackChannel: is not accepted here; did you mean isBackchannel?',
    );
  });

  test('a reply in the response to a webhook is posted once, even if the delivery is repeated', async () => {
    receiver.behave(reply([{ text: 'only once' }]));
    const conversation = await talk();
    await say(conversation, 'hi');
    const { id } = await deliveryDone();
    const after = (times: number) =>
      eventually(async () => {
        const { body } = await product.admin.get(`/deliveries/${id}`);
        return body.status === 'delivered' && body.attempts.length >= times && body.attempts;
      });
    for (let times = 2; times <= 3; times++) {
      await product.admin.post(`/deliveries/${id}/retry`);
      await after(times);
    }
    expect(arrivals(receiver)).toHaveLength(3);
    expect((await after(3)).map((one: any) => one.reply)).toEqual([
      'Posted 1 message.',
      'Posted 0 messages.',
      'Posted 0 messages.',
    ]);
    expect((await messagesOf(conversation)).map(({ text }) => text)).toEqual(['hi', 'only once']);
  });

  test('a reply in the response to a webhook is refused for the same reasons as an API request, the owner of the service sees the reason, and the event counts as delivered', async () => {
    const stranger = await newUser(product, {
      role: 'bot',
      organization: (await product.admin.post('/organizations', { name: 'Beside' })).body.id,
    });
    const viewer = await newUser(product, { role: 'viewer' });
    const cases: [Behaviour, RegExp][] = [
      [reply([{ text: 'x' }], 'no token'), /^Refused \(unauthenticated\)/],
      [reply([{}], 'x'.repeat(9000)), /^Refused \(unauthenticated\)/],
      [reply(Array(2000).fill({}), 'no token'), /^Refused \(unauthenticated\)/],
      [reply(Array(2000).fill({})), /^Refused \(invalid_request\): messages: must have at most 100 entries/],
      [reply(Array(10_000).fill({})), /^Refused \(invalid_request\): .*10,000 values/],
      [reply([{ text: 'a\0b' }]), /^Refused \(invalid_request\): messages\.0\.text/],
      [reply([{ text: 'x' }], stranger.token), /^Refused \(not_found\)/],
      [reply([{ text: 'x', role: 'contact' }], viewer.token), /^Refused \(not_found\)/],
      [reply([{ text: '' }]), /^Refused \(invalid_request\): text/],
      [reply([]), /^Refused \(invalid_request\): messages/],
      [reply('hello'), /^Refused \(invalid_request\): messages/],
      [reply([{ type: 'command', text: '/set status sleeping' }]), /^Refused \(unprocessable\)/],
    ];
    const conversation = await talk();
    for (const [at, [behaviour, words]] of cases.entries()) {
      receiver.behave(behaviour);
      await say(conversation, `case ${at}`);
      const { status, attempts } = await deliveryDone(at + 1);
      expect(status).toBe('delivered');
      expect(attempts[0].reply).toMatch(words);
    }
    expect((await messagesOf(conversation)).map(({ text }) => text)).toEqual(
      cases.map((_, at) => `case ${at}`),
    );
  });

  test('a reply in the response to a webhook counts for the bot loop limits, so the ninth identical reply is refused', async () => {
    receiver.behave(reply([{ text: 'the same' }]));
    const conversation = await talk();
    for (let times = 1; times <= 9; times++) {
      await say(conversation, `question ${times}`);
      const { attempts } = await deliveryDone(times);
      if (times < 9) expect(attempts[0].reply).toBe('Posted 1 message.');
      else expect(attempts[0].reply).toMatch(/^Refused \(bot_loop_identical\)/);
    }
    const same = (await messagesOf(conversation)).filter(({ text }) => text === 'the same');
    expect(same).toHaveLength(8);
  });

  test('a reply in the response to a webhook is not posted without token, messages or a status of replies, and the attempt says so', async () => {
    const conversation = await talk();
    const messages = [{ text: 'never posted' }];
    const answers: [Behaviour, RegExp | undefined][] = [
      [respondWith(203, JSON.stringify({ token: bot.token, messages })), /^Not posted: .* not with 203\.$/],
      [respondWith(200, JSON.stringify({ messages })), /has messages, but no token/],
      [respondWith(200, JSON.stringify({ token: bot.token })), undefined],
      [respondWith(200, `token ${'x'.repeat(100)}`), undefined],
      [respondWith(200, JSON.stringify([{ token: bot.token, messages }])), /at its top level/],
    ];
    for (const [at, [behaviour, words]] of answers.entries()) {
      receiver.behave(behaviour);
      await say(conversation, `case ${at}`);
      const { attempts } = await deliveryDone(at + 1);
      expect(attempts).toMatchObject([{ outcome: 'delivered' }]);
      if (words) expect(attempts[0].reply).toMatch(words);
      else expect(attempts[0]).not.toHaveProperty('reply');
    }
    expect((await messagesOf(conversation)).some(({ text }) => text === 'never posted')).toBe(false);
  });
});
