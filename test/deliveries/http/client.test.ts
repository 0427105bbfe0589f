import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createWebhookClient } from '../../../deliveries/http/client.ts';
import type { WebhookClient, WebhookClientOptions } from '../../../deliveries/http/client.ts';
import { cpuRatio } from '../../support/cpu-time.ts';
import { eventually } from '../../support/eventually.ts';
import {
  respondWith,
  closeAtOnce,
  closeHalfWay,
  flood,
  hang,
  startReceiver,
} from '../../support/receiver.ts';
import type { Receiver } from '../../support/receiver.ts';

const MIB = 1024 * 1024;
/**
 * Maximum CPU time of a hostile response, as a multiple of the CPU time of a response in as many
 * pieces as are allowed.
 */
const MAX_RATIO = 10;
const STANDARD_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

let receiver: Receiver;
const clients: WebhookClient[] = [];

function client(options: Partial<WebhookClientOptions> = {}): WebhookClient {
  const made = createWebhookClient({
    timeoutMs: 20_000,
    allowedNetworks: ['127.0.0.0/8'],
    version: '1.2.3',
    ...options,
  });
  clients.push(made);
  return made;
}

function send(made: WebhookClient, { url = receiver.url, secrets = [] as string[] } = {}) {
  const awaitTurn = () => Promise.resolve();
  return made.sendWebhook({
    url,
    id: 'event-1',
    body: '{"id":"event-1","text":"Grüße"}',
    secrets,
    awaitTurn,
  });
}

const CHUNKED = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
const IN_PIECES = `${CHUNKED}${`80\r\n${'x'.repeat(128)}\r\n`.repeat(4000)}0\r\n\r\n`;

beforeEach(async () => {
  receiver = await startReceiver();
});

afterEach(async () => {
  await Promise.all(clients.splice(0).map((made) => made.close()));
  await receiver.close();
});

describe('a webhook delivery', () => {
  test('a webhook delivery posts the exact body with its id, the time and the product as user agent', async () => {
    const { outcome, status } = await send(client());
    expect({ outcome, status }).toEqual({ outcome: 'delivered', status: 200 });
    const [got] = receiver.received;
    expect(got).toMatchObject({ method: 'POST', path: '/hook', body: '{"id":"event-1","text":"Grüße"}' });
    expect(got?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Parlance/1.2.3',
      'webhook-id': 'event-1',
    });
    expect(Math.abs(Number(got?.headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(60);
  });

  test('a webhook delivery is not signed without a secret', async () => {
    await send(client());
    const names = Object.keys(receiver.received[0]!.headers);
    expect(names).not.toContain('webhook-signature');
    expect(names).not.toContain('x-hub-signature');
  });

  test.each([STANDARD_SECRET, 'a secret of my own, übrigens'])(
    'a webhook delivery has a signature that the standardwebhooks library verifies: %s',
    async (secret) => {
      await send(client(), { secrets: [secret] });
      const { headers, body } = receiver.received[0]!;
      const verifier = secret.startsWith('whsec_')
        ? new Webhook(secret)
        : new Webhook(Buffer.from(secret), { format: 'raw' });
      expect(verifier.verify(body, headers as Record<string, string>)).toMatchObject({ id: 'event-1' });
      const hub = createHmac('sha1', secret).update(body).digest('hex');
      expect(headers['x-hub-signature']).toBe(`sha1=${hub}`);
      expect(() => verifier.verify(`${body} `, headers as Record<string, string>)).toThrow();
    },
  );

  test('a webhook delivery is signed with the current and the earlier secret during a rotation', async () => {
    await send(client(), { secrets: [STANDARD_SECRET, 'the old one'] });
    const { headers, body } = receiver.received[0]!;
    for (const verifier of [new Webhook(STANDARD_SECRET), new Webhook('the old one', { format: 'raw' })]) {
      expect(verifier.verify(body, headers as Record<string, string>)).toMatchObject({ id: 'event-1' });
    }
  });

  test('a webhook delivery sends credentials of the url as Authorization header and never in the address', async () => {
    await send(client(), { url: receiver.url.replace('//', '//me%40home:p%3Ass@') });
    const { headers, path } = receiver.received[0]!;
    expect(headers.authorization).toBe(`Basic ${Buffer.from('me@home:p:ss').toString('base64')}`);
    expect(path).toBe('/hook');
  });

  test('a webhook delivery does not follow a redirect', async () => {
    receiver.behave(respondWith(302, '', { location: `${receiver.url}/elsewhere` }));
    expect(await send(client())).toMatchObject({ outcome: 'rejected', status: 302 });
    expect(receiver.received).toHaveLength(1);
  });

  test.each([
    [410, {}, undefined],
    [500, {}, undefined],
    [503, { 'retry-after': '120' }, 120],
    [429, { 'retry-after': 'soon' }, undefined],
  ])(
    'a webhook delivery is rejected at status %s and returns the wait that a valid Retry-After requests',
    async (status, headers, seconds) => {
      receiver.behave(respondWith(status, 'no', headers));
      const end = await send(client());
      expect(end).toMatchObject({ outcome: 'rejected', status });
      expect(end.answer?.bytes.toString()).toBe('no');
      expect(end.retryAfterSeconds).toBe(seconds);
    },
  );

  test('a webhook delivery accepts a date in Retry-After', async () => {
    receiver.behave(respondWith(503, '', { 'retry-after': new Date(Date.now() + 60_000).toUTCString() }));
    const { retryAfterSeconds } = await send(client());
    expect(retryAfterSeconds).toBeGreaterThan(30);
    expect(retryAfterSeconds).toBeLessThanOrEqual(60);
  });

  test('a webhook delivery uses the clock of the product for its signature and for Retry-After', async () => {
    const hourAgo = Date.now() - 3600_000;
    receiver.behave(respondWith(503, '', { 'retry-after': new Date(hourAgo + 60_000).toUTCString() }));
    const { retryAfterSeconds } = await send(client({ now: () => hourAgo }), { secrets: ['secret'] });
    expect(receiver.received[0]?.headers['webhook-timestamp']).toBe(String(Math.floor(hourAgo / 1000)));
    // A date in Retry-After has whole seconds.
    expect(retryAfterSeconds).toBeGreaterThanOrEqual(59);
    expect(retryAfterSeconds).toBeLessThanOrEqual(60);
  });

  test('a webhook delivery times out when the receiver hangs before or during the response', async () => {
    receiver.behave(hang);
    const silent = await send(client({ timeoutMs: 150 }));
    receiver.behave((response) => void response.writeHead(200).write('begun'));
    const begun = await send(client({ timeoutMs: 150 }));
    for (const end of [silent, begun]) {
      expect(end.outcome).toBe('timed_out');
      expect(end.durationMs).toBeGreaterThanOrEqual(140);
    }
  });

  test('a webhook delivery is unreachable when the connection is refused, closed at once or closed half-way', async () => {
    receiver.behave(closeAtOnce);
    const closed = await send(client());
    receiver.behave(closeHalfWay);
    const half = await send(client());
    await receiver.close();
    const refused = await send(client());
    expect([closed, half, refused].map(({ outcome }) => outcome)).toEqual(Array(3).fill('unreachable'));
    expect(refused.reason).toBe('ECONNREFUSED');
  });

  test.each([
    ['NOT HTTP AT ALL\r\n\r\n', 'The response is not HTTP.'],
    ['HTTP/1.1 000 X\r\nContent-Length: 0\r\n\r\n', 'The request failed.'],
    [`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`, 'The headers of the response are too large.'],
    [
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
      'The connection was closed before the response was complete.',
    ],
  ])('a webhook delivery explains the malformed response %j', async (raw, reason) => {
    receiver.behave(({ socket }) => void socket?.end(raw));
    expect(await send(client())).toMatchObject({ outcome: 'unreachable', reason });
  });

  test('a webhook delivery reads at most 16 KiB of an endless response', async () => {
    receiver.behave(flood(100 * MIB));
    const end = await send(client({ timeoutMs: 30_000 }));
    expect(end).toMatchObject({ outcome: 'delivered', status: 200 });
    expect(end.answer?.bytes).toHaveLength(MIB / 64);
    // Later deliveries still work.
    receiver.behave(respondWith(200, 'fine'));
    expect((await send(client())).answer?.bytes.toString()).toBe('fine');
  });

  test.each([
    ['a body in single bytes', `${CHUNKED}${'1\r\nx\r\n'.repeat(MIB)}0\r\n\r\n`],
    ['endless early hints', 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'.repeat(100_000)],
  ])('a webhook delivery is aborted by %s at low CPU cost', async (_, raw) => {
    // The CPU time includes the receiver, which runs in the same process.
    const ratio = await cpuRatio({
      async run() {
        receiver.behave(({ socket }) => void socket?.on('error', () => undefined).write(raw));
        expect(await send(client())).toMatchObject({
          outcome: 'unreachable',
          reason: 'The response comes in too many small pieces.',
        });
      },
      async honest() {
        receiver.behave(({ socket }) => void socket?.end(IN_PIECES));
        expect((await send(client())).answer?.bytes.length).toBe(512_000);
      },
      enough: MAX_RATIO,
    });
    expect(ratio).toBeLessThan(MAX_RATIO);
  });

  test('a webhook delivery accepts a response in a few thousand pieces of moderate size', async () => {
    receiver.behave(({ socket }) => void socket?.end(IN_PIECES));
    expect((await send(client())).answer?.bytes.length).toBe(512_000);
  });

  test('the webhook client reuses its connections', async () => {
    const made = client();
    for (let count = 0; count < 20; count++) await send(made);
    expect(receiver.connections()).toBeLessThanOrEqual(2);
  });

  test('a webhook delivery rejects when its signal is aborted, because an abort is not an outcome of the receiver', async () => {
    receiver.behave(hang);
    const stop = new AbortController();
    const sent = client().sendWebhook({
      url: receiver.url,
      id: 'e',
      body: '{}',
      secrets: [],
      signal: stop.signal,
    });
    await eventually(() => receiver.received.length >= 1);
    stop.abort(new Error('shutting down'));
    await expect(sent).rejects.toThrow('shutting down');
  });
});

describe('verification of a webhook', () => {
  test('verification of a webhook sends a GET with a challenge, keeps the query of the url and accepts status 200', async () => {
    const made = client();
    expect(await made.verifyWebhook(`${receiver.url}?key=a%20b`)).toEqual({ verified: true });
    expect(await made.verifyWebhook(receiver.url)).toEqual({ verified: true });
    const [first, second] = receiver.received;
    expect(first?.method).toBe('GET');
    expect(first?.path).toMatch(/^\/hook\?key=a%20b&type=subscribe&challenge=[0-9a-f]{32}$/);
    expect(second?.path).toMatch(/^\/hook\?type=subscribe&challenge=[0-9a-f]{32}$/);
    expect(second?.path).not.toBe(first?.path);
  });

  test.each([201, 204, 302, 404, 500])(
    'verification of a webhook fails at status %s, with the reason',
    async (status) => {
      receiver.behave(respondWith(status));
      const verification = await client().verifyWebhook(receiver.url);
      expect(verification).toEqual({
        verified: false,
        reason: `Verification failed: it responded with ${status}.`,
      });
    },
  );

  test('verification of a webhook explains a refused private address and an unreachable receiver', async () => {
    const refused = await client({ allowedNetworks: [] }).verifyWebhook(receiver.url);
    expect(refused).toMatchObject({ verified: false, reason: expect.stringContaining('loopback') });
    await receiver.close();
    const dead = await client().verifyWebhook(receiver.url);
    expect(dead).toMatchObject({ verified: false, reason: expect.stringContaining('ECONNREFUSED') });
  });
});
