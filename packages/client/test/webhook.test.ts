import { Readable } from 'node:stream';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { signWebhook, verifyWebhook } from '../src/webhook.ts';
import type { SentWebhook } from '../src/webhook.ts';

const SECRET = `whsec_${Buffer.from('twenty-four bytes of it!').toString('base64')}`;
const OTHER = 'a plain secret, used as its bytes';
const body = JSON.stringify({ id: 'e1', event: 'message.create.contact.chat', data: {} });
const seconds = () => Math.floor(Date.now() / 1000);

async function signed(secret = SECRET, timestamp = seconds()) {
  return { headers: await signWebhook({ id: 'e1', body, timestamp }, secret), body };
}

describe('a webhook', () => {
  test('a webhook is compatible with the Standard Webhooks library, for signing and verifying', async () => {
    const library = new Webhook(SECRET);
    const headers = { 'webhook-id': 'e1', 'webhook-timestamp': String(seconds()) };
    const signature = library.sign('e1', new Date(), body);
    await expect(
      verifyWebhook({ headers: { ...headers, 'webhook-signature': signature }, body }, SECRET),
    ).resolves.toMatchObject({ id: 'e1' });
    expect(library.verify(body, (await signed()).headers)).toEqual(JSON.parse(body));
  });

  test('a webhook of 1970 is rejected if the tolerance is NaN from an unset variable', async () => {
    const old = await signed(SECRET, 1);
    await expect(verifyWebhook(old, SECRET, { toleranceSeconds: Number(undefined) })).rejects.toThrow(
      'too long ago',
    );
  });

  test('a webhook may be signed with any of several secrets during a rotation', async () => {
    const request = await signed(OTHER);
    await expect(verifyWebhook(request, [SECRET, OTHER])).resolves.toMatchObject({ id: 'e1' });
    const both = `${(await signed()).headers['webhook-signature']} ${request.headers['webhook-signature']}`;
    const headers = { ...request.headers, 'webhook-signature': both };
    await expect(verifyWebhook({ headers, body }, OTHER)).resolves.toMatchObject({ id: 'e1' });
  });

  test('a webhook is verified with the headers of fetch and of node:http', async () => {
    const { headers } = await signed();
    await expect(verifyWebhook({ headers: new Headers(headers), body }, SECRET)).resolves.toBeDefined();
    const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
    await expect(verifyWebhook({ headers: lists, body }, SECRET)).resolves.toBeDefined();
  });

  const capitals = (name: string) => name.replace(/(^|-)./g, (one) => one.toUpperCase());
  const renamed = (headers: Record<string, string>, rename: (name: string) => string) =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [rename(name), value]));
  const listed = (headers: Record<string, string>) =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
  const bytes = Buffer.from(body);
  const base64 = bytes.toString('base64');
  const PASSED: [string, (headers: Record<string, string>) => SentWebhook][] = [
    [
      'a Request of fetch (Next.js, Hono, Cloudflare, Deno, Bun)',
      (headers) => new Request('https://bot.test', { method: 'POST', headers, body }),
    ],
    ['a Buffer (express.raw, Fastify)', (headers) => ({ headers, body: bytes })],
    [
      'a part of a larger buffer',
      (headers) => ({ headers, body: Buffer.concat([Buffer.from('xx'), bytes]).subarray(2) }),
    ],
    ['a Uint8Array', (headers) => ({ headers, body: new Uint8Array(bytes) })],
    ['an ArrayBuffer', (headers) => ({ headers, body: new Uint8Array(bytes).buffer })],
    [
      'rawBody beside parsed JSON (Google Cloud, Azure, Nest)',
      (headers) => ({ headers, body: JSON.parse(body), rawBody: bytes }),
    ],
    ['rawBody as text', (headers) => ({ headers, body: {}, rawBody: body })],
    [
      'an API Gateway of version 1',
      (headers) => ({
        headers: renamed(headers, capitals),
        multiValueHeaders: listed(renamed(headers, capitals)),
        body,
        isBase64Encoded: false,
      }),
    ],
    [
      'an API Gateway of version 2 in base64',
      (headers) => ({ headers, body: base64, isBase64Encoded: true }),
    ],
    [
      'a load balancer with lists of headers',
      (headers) => ({
        headers: null,
        multiValueHeaders: listed(headers),
        body: base64,
        isBase64Encoded: true,
      }),
    ],
    [
      'an API Gateway of version 1 with empty headers',
      (headers) => ({ headers: {}, multiValueHeaders: listed(headers), body, isBase64Encoded: false }),
    ],
    [
      'signatures in repeated headers',
      (headers) => ({
        headers: { ...headers, 'webhook-signature': ['v1,AAAA', headers['webhook-signature'] ?? ''] },
        body,
      }),
    ],
    [
      'signatures in headers that a server joined',
      (headers) => ({
        headers: {
          ...headers,
          'webhook-signature': `${headers['webhook-signature']}, v1,AAAA`,
        },
        body,
      }),
    ],
    [
      'a request of Node that was not read (Next.js pages, Vercel)',
      (headers) => Object.assign(Readable.from([bytes.subarray(0, 5), bytes.subarray(5)]), { headers }),
    ],
    [
      'the stream of a Request',
      (headers) => ({ headers, body: new Request('https://bot.test', { method: 'POST', body }).body }),
    ],
    ['headers in capitals', (headers) => ({ headers: renamed(headers, (name) => name.toUpperCase()), body })],
    ['pairs of headers', (headers) => ({ headers: Object.entries(headers), body })],
    ['a Map of headers', (headers) => ({ headers: new Map(Object.entries(headers)), body })],
    [
      'a Map of headers with capitals',
      (headers) => ({ headers: new Map(Object.entries(renamed(headers, capitals))), body }),
    ],
  ];
  test.each(PASSED)('a webhook is verified as servers and platforms pass it: %s', async (_, pass) => {
    const webhook = pass((await signed()).headers);
    await expect(verifyWebhook(webhook, SECRET)).resolves.toMatchObject({ id: 'e1' });
  });

  test('a webhook with text outside ASCII is verified by its bytes', async () => {
    const text = JSON.stringify({ id: 'é👋' });
    const headers = await signWebhook({ id: 'e2', body: text }, SECRET);
    await expect(verifyWebhook({ headers, body: Buffer.from(text) }, SECRET)).resolves.toEqual({ id: 'é👋' });
  });

  test.each([
    ['parsed JSON', { body: JSON.parse(body) as object }],
    ['a list of numbers', { body: [...bytes] }],
  ])('the verification of a webhook throws a TypeError with the cure for %s', async (_, { body: parsed }) => {
    const { headers } = await signed();
    await expect(verifyWebhook({ headers, body: parsed }, SECRET)).rejects.toThrow(/raw body .*express\.raw/);
  });

  test('the verification of a webhook throws a TypeError for a Request that was read before', async () => {
    const request = new Request('https://bot.test', { method: 'POST', ...(await signed()) });
    await request.text();
    await expect(verifyWebhook(request, SECRET)).rejects.toThrow(TypeError);
  });

  test.each([
    ['no body', { body: null }],
    ['no headers', { headers: undefined }],
    ['a body that is not base64', { body: '%', isBase64Encoded: true }],
    ['another body', { body: body.replace('chat', 'card') }],
    ['another id', { headers: { 'webhook-id': 'e2' } }],
    ['no signature', { headers: { 'webhook-signature': '' } }],
    ['a signature that is not base64', { headers: { 'webhook-signature': 'v1,%%%' } }],
    ['a signature of another kind', { headers: { 'webhook-signature': 'v1a,AAAA' } }],
    ['an invalid time', { headers: { 'webhook-timestamp': 'soon' } }],
  ])('a webhook with %s is rejected', async (_, change) => {
    const right = await signed();
    const headers =
      'headers' in change ? change.headers && { ...right.headers, ...change.headers } : right.headers;
    const wrong = { ...right, ...change, headers };
    await expect(verifyWebhook(wrong, SECRET)).rejects.toMatchObject({ code: 'bad_signature', status: 401 });
  });

  test.each([-301, 301])(
    'a webhook whose timestamp is off by %i seconds is rejected, so that it cannot be replayed later',
    async (off) => {
      const now = Date.now();
      const request = await signed(SECRET, Math.floor(now / 1000) + off);
      await expect(verifyWebhook(request, SECRET, { now })).rejects.toMatchObject({ code: 'bad_signature' });
      await expect(verifyWebhook(request, SECRET, { now, toleranceSeconds: 600 })).resolves.toBeDefined();
    },
  );

  test.each([`${SECRET}\n`, ` ${SECRET}\r\n`])(
    'a webhook is verified with a secret that has surrounding white space: %j',
    async (secret) => {
      await expect(verifyWebhook(await signed(), secret)).resolves.toBeDefined();
    },
  );

  test('a webhook signed with another secret is rejected', async () => {
    await expect(verifyWebhook(await signed(OTHER), SECRET)).rejects.toMatchObject({ code: 'bad_signature' });
  });

  test.each(['', 'whsec_', 'whsec_%%%'])(
    'the verification of a webhook throws a TypeError for the invalid secret "%s"',
    async (secret) => {
      await expect(verifyWebhook(await signed(), secret)).rejects.toThrow(TypeError);
    },
  );
});
