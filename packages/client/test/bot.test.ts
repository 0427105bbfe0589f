import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { createBot } from '../src/bot.ts';
import type { Bot } from '../src/bot.ts';
import { lambdaHandler, nodeListener } from '../src/node.ts';
import type { LambdaEvent } from '../src/node.ts';
import { signWebhook } from '../src/webhook.ts';

const secret = 'a secret of this file';
const token = `plk_e30.${btoa(JSON.stringify({ _id: 'the-bot' }))}.x`;
let count = 0;

function eventOf(text: string, fields: object = {}, conversation = 'c1') {
  const message = { text, type: 'chat', role: 'contact', ...fields };
  const event = `message.create.contact.${message.type}`;
  return { id: `event-${++count}`, event, data: { message, conversation: { id: conversation } } };
}

async function post(bot: Bot, event: object & { id: string }) {
  const body = JSON.stringify(event);
  const headers = await signWebhook({ id: event.id, body }, secret);
  const response = await bot.handle(new Request('http://bot/', { method: 'POST', headers, body }));
  const text = await response.text();
  return { status: response.status, body: text && text.startsWith('{') ? JSON.parse(text) : text };
}

describe('a bot', () => {
  test('a bot responds 200 to the verification request of a webhook', async () => {
    const asked = new Request('http://bot/?type=subscribe&challenge=1');
    expect((await createBot({ token, secret }).handle(asked)).status).toBe(200);
  });

  test('a bot replies in its webhook response: chats and cards go to the contact, other messages to the back channel', async () => {
    const bot = createBot({ token, secret }).on('message.create.contact.chat.contact', ({ text, reply }) => {
      reply(`You said: ${text}`, { type: 'command', text: '/set mood good' });
      reply({ text: 'for agents', isBackchannel: true });
    });
    expect(await post(bot, eventOf('hello'))).toEqual({
      status: 200,
      body: {
        token,
        messages: [
          { isBackchannel: false, text: 'You said: hello' },
          { type: 'command', text: '/set mood good' },
          { isBackchannel: true, text: 'for agents' },
        ],
      },
    });
  });

  test("a bot passes the text after a command to the command's handler, for command messages only", async () => {
    const heard: string[] = [];
    const bot = createBot({ token, secret }).on('>price', ({ text }) => heard.push(text));
    const type = { type: 'command', role: undefined };
    for (const text of ['>price blue\ncar', '>prices all', '>price']) await post(bot, eventOf(text, type));
    await post(bot, eventOf('>price said aloud'));
    expect(heard).toEqual(['blue\ncar', '']);
  });

  test('a bot calls no handler for its own messages, so that it does not reply to itself', async () => {
    const bot = createBot({ token, secret }).on('*', ({ reply }) => reply('again'));
    expect((await post(bot, eventOf('hello', { createdBy: 'the-bot' }))).status).toBe(204);
    expect((await post(bot, eventOf('hello', { createdBy: 'another' }))).status).toBe(200);
  });

  test('a bot returns its first response for a repeated event, also while the first request is pending', async () => {
    let calls = 0;
    const bot = createBot({ token, secret }).on('*', async ({ reply }) => {
      await Promise.resolve();
      reply(`call ${++calls}`);
    });
    const event = eventOf('hello');
    const [first, second] = await Promise.all([post(bot, event), post(bot, event)]);
    expect(second).toEqual(first);
    expect(await post(bot, event)).toEqual(first);
    expect(calls).toBe(1);
  });

  test('a bot keeps its responses for the last 1,000 events only', async () => {
    let calls = 0;
    const bot = createBot({ token, secret }).on('*', () => (calls += 1));
    const first = eventOf('the first');
    await post(bot, first);
    for (let at = 0; at < 1_000; at++) await post(bot, eventOf('another'));
    await post(bot, first);
    expect(calls).toBe(1_002);
  });

  test('a bot responds 500 if a handler throws, and handles the event when Parlance delivers it again', async () => {
    const errors: unknown[] = [];
    let calls = 0;
    const onError = (error: unknown) => errors.push(error);
    const bot = createBot({ token, secret, onError }).on('*', ({ reply }) => {
      if (++calls === 1) throw new Error('no database');
      reply('now');
    });
    const event = eventOf('hello');
    expect((await post(bot, event)).status).toBe(500);
    expect((await post(bot, event)).body.messages[0].text).toBe('now');
    expect(errors).toEqual([new Error('no database')]);
  });

  test('a bot handles events of one conversation in order, and events of different conversations concurrently', async () => {
    const order: string[] = [];
    let release = () => undefined as unknown;
    let begin = () => undefined as unknown;
    const held = new Promise((resolve) => (release = () => resolve(undefined)));
    const begun = new Promise((resolve) => (begin = () => resolve(undefined)));
    const bot = createBot({ token, secret }).on('*', async ({ text }) => {
      if (text === 'slow') begin();
      if (text === 'slow') await held;
      order.push(text);
    });
    const slow = post(bot, eventOf('slow', {}, 'one'));
    await begun;
    const next = post(bot, eventOf('next', {}, 'one'));
    await post(bot, eventOf('other', {}, 'two'));
    release();
    await Promise.all([slow, next]);
    expect(order).toEqual(['other', 'slow', 'next']);
  });

  test('a bot rejects a DELETE request, and a POST request that Parlance did not sign, and calls no handler', async () => {
    let calls = 0;
    const bot = createBot({ token, secret: 'another secret' }).on('*', () => (calls += 1));
    expect(await post(bot, eventOf('hello'))).toMatchObject({ status: 401 });
    expect((await bot.handle(new Request('http://bot/', { method: 'DELETE' }))).status).toBe(405);
    expect(calls).toBe(0);
  });
});

/** Runs `nodeListener` with a request whose body a framework has read. Returns status and text. */
async function listenAfterParser(read: object, headers: Record<string, string>) {
  const bot = createBot({ token: 'plk_a.b.c', secret: 'a plain secret' });
  const request = Object.assign(Readable.from([]), { method: 'POST', url: '/', headers, ...read });
  let answer: [number, string] = [0, ''];
  const response = {
    writeHead: (status: number) => ({ end: (text: unknown) => (answer = [status, String(text)]) }),
  };
  await nodeListener(bot.handle)(request as never, response as never);
  return answer;
}

test('nodeListener uses the raw body that a framework has read, and refuses a parsed one with the cure', async () => {
  const body = JSON.stringify({ id: 'e1', event: 'conversation.create', data: {} });
  const headers = await signWebhook({ id: 'e1', body }, 'a plain secret');
  for (const read of [{ body }, { body: Buffer.from(body) }, { body: {}, rawBody: Buffer.from(body) }]) {
    expect(await listenAfterParser(read, headers)).toEqual([204, '']);
  }
  expect(await listenAfterParser({ body: JSON.parse(body) as object }, headers)).toEqual([
    500,
    expect.stringContaining('express.raw()'),
  ]);
});

describe('a bot on AWS Lambda', () => {
  const event = eventOf('hello');
  const body = JSON.stringify(event);
  const base64 = { body: Buffer.from(body).toString('base64'), isBase64Encoded: true };
  const http = { requestContext: { http: { method: 'POST' } } };
  const capitals = (headers: Record<string, string>) =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
  const listed = (headers: Record<string, string>) =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));

  test.each<[string, (headers: Record<string, string>) => LambdaEvent]>([
    ['API Gateway 1', (headers) => ({ httpMethod: 'POST', headers: capitals(headers), body })],
    ['API Gateway 2 in base64', (headers) => ({ ...http, ...base64, headers })],
    ['a load balancer', (headers) => ({ httpMethod: 'POST', multiValueHeaders: listed(headers), ...base64 })],
  ])('a bot replies to the event of %s', async (_, pass) => {
    const bot = createBot({ token, secret }).on('message', ({ text, reply }) => reply(text));
    const handler = lambdaHandler(bot.handle);
    const answer = await handler(pass(await signWebhook({ id: event.id, body }, secret)));
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/json']);
    expect(JSON.parse(answer.body)).toMatchObject({ token, messages: [{ text: 'hello' }] });
    expect((await handler({ httpMethod: 'GET', headers: null, body: null })).statusCode).toBe(200);
    expect((await handler({ ...http, headers: {}, body })).statusCode).toBe(401);
  });
});
