import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createWebhookClient } from '../../../deliveries/http/client.ts';
import type { WebhookClient } from '../../../deliveries/http/client.ts';
import { describeError, describeFailure } from '../../../deliveries/http/exchange.ts';
import { generateCertificates } from '../../support/certificates.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { respondWith, closeAtOnce, closeHalfWay, startReceiver } from '../../support/receiver.ts';
import type { Receiver } from '../../support/receiver.ts';

let receiver: Receiver;
const clients: WebhookClient[] = [];

function client(): WebhookClient {
  const made = createWebhookClient({ timeoutMs: 20_000, allowedNetworks: ['127.0.0.0/8'], version: '1.2.3' });
  clients.push(made);
  return made;
}

function send(made: WebhookClient) {
  return made.sendWebhook({ url: receiver.url, id: 'event-1', body: '{"id":"event-1"}', secrets: [] });
}

/**
 * Returns a client whose connections have all been used, including the second connection that a new
 * client opens.
 */
async function warmedUp(): Promise<WebhookClient> {
  const made = client();
  for (let count = 0; count < 6; count += 1) await send(made);
  return made;
}

beforeEach(async () => {
  receiver = await startReceiver();
});

afterEach(async () => {
  await Promise.all(clients.splice(0).map((made) => made.close()));
  await receiver.close();
});

describe('a redirected delivery', () => {
  test.each([
    ['https://example.com/hook', 'https://example.com/hook'],
    ['/elsewhere', 'ORIGIN/elsewhere'],
    ['https://joe:hidden@example.com/a?key=secret#part', 'https://example.com/a?…'],
    [`https://example.com/${'a'.repeat(500)}`, `https://example.com/${'a'.repeat(179)}…`],
    ['https://example.com/plk_eyJhbGciOiJIUzI1NiJ9.e30.c2ln', 'https://example.com/[token]'],
    ['javascript:alert(1)', 'javascript:'],
  ])('a redirected delivery reports the target of a redirect to %s', async (location, shown) => {
    receiver.behave(respondWith(308, '', { location }));
    const end = await send(client());
    const target = shown.replace('ORIGIN', new URL(receiver.url).origin);
    expect(describeFailure(end)).toBe(`It responded with 308 to ${target}: redirects are not followed.`);
    const { reason } = (await client().verifyWebhook(receiver.url)) as { reason: string };
    expect(reason).toBe(`Verification failed: it responded with 308 to ${target}.`);
  });

  test.each(['', 'http://', 'https://[/'])(
    'a redirected delivery reports no target for the location %j',
    async (location) => {
      receiver.behave(respondWith(301, '', { location }));
      const end = await send(client());
      expect([end.status, describeFailure(end)]).toEqual([301, undefined]);
    },
  );
});

describe('a delivery over an idle connection', () => {
  test('a delivery over an idle connection is repeated over a new connection when the idle connection closes during the delivery', async () => {
    const made = await warmedUp();
    const { length } = receiver.received;
    const connections = receiver.connections();
    const behaviours = [closeAtOnce, respondWith(200, 'fine')];
    receiver.behave((...args) => behaviours.shift()?.(...args));
    const end = await send(made);
    expect(end).toMatchObject({ outcome: 'delivered', requests: 2 });
    expect(end.answer?.bytes.toString()).toBe('fine');
    expect(receiver.received).toHaveLength(length + 2);
    expect(receiver.connections()).toBe(connections + 1);
  });

  test('a delivery over an idle connection is sent twice at most', async () => {
    const made = await warmedUp();
    const { length } = receiver.received;
    receiver.behave(closeAtOnce);
    expect(await send(made)).toMatchObject({ outcome: 'unreachable', requests: 2 });
    expect(receiver.received).toHaveLength(length + 2);
  });

  test('a delivery over a new connection is sent only once', async () => {
    receiver.behave(closeAtOnce);
    const end = await send(client());
    expect([end.outcome, end.requests, receiver.received.length]).toEqual(['unreachable', undefined, 1]);
  });

  test.each([
    ['headers', closeHalfWay],
    ['a byte', ({ socket }: ServerResponse) => void socket?.end('H')],
  ])(
    'a delivery over an idle connection is sent once if the response has begun with %s',
    async (_, behaviour) => {
      const made = await warmedUp();
      const { length } = receiver.received;
      receiver.behave(behaviour);
      const end = await send(made);
      expect([end.outcome, end.requests]).toEqual(['unreachable', undefined]);
      expect(receiver.received).toHaveLength(length + 1);
    },
  );
});

describe('a response', () => {
  test('a response keeps its content type and encoding', async () => {
    receiver.behave(respondWith(200, 'x', { 'content-type': 'a/b; charset=c', 'content-encoding': 'gzip' }));
    const { answer: got } = await send(client());
    expect(got).toMatchObject({ contentType: 'a/b; charset=c', contentEncoding: 'gzip' });
  });
});

describe('a delivery to an address whose TLS fails', () => {
  let certificate: Record<'key' | 'cert' | 'ca', string>;
  const servers: Server[] = [];

  beforeAll(async () => {
    const { path, remove } = await temporaryFolder();
    certificate = await generateCertificates(path);
    await remove();
  });
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  async function reasonFor(server: Server, host = 'localhost'): Promise<string | undefined> {
    servers.push(server.listen(0, '127.0.0.1'));
    await once(server, 'listening');
    const url = `https://${host}:${(server.address() as AddressInfo).port}/hook`;
    const resolve = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
    const options = { timeoutMs: 20_000, allowedNetworks: ['127.0.0.0/8'], version: '1', resolve };
    const made = createWebhookClient(options as Parameters<typeof createWebhookClient>[0]);
    clients.push(made);
    const end = await made.sendWebhook({ url, id: 'event-1', body: '{}', secrets: [] });
    expect(end.outcome).toBe('unreachable');
    return describeFailure(end);
  }

  test('a delivery reports a port that speaks HTTP without TLS', async () => {
    expect(await reasonFor(createHttpServer())).toBe(
      'This port does not use TLS: use http:// or the port for https.',
    );
  });

  test('a delivery reports a certificate of an unknown authority', async () => {
    expect(await reasonFor(createTlsServer(certificate))).toMatch(
      /^The certificate is from an unknown authority/,
    );
  });

  test('a delivery reports a server that offers only another version of TLS', async () => {
    const old = createTlsServer({ ...certificate, maxVersion: 'TLSv1.1', minVersion: 'TLSv1.1' });
    expect(await reasonFor(old)).toMatch(/^TLS failed: [a-z0-9 ]+\.$/);
  });

  test.each([
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'The certificate is self-signed.'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'The certificate is for another host name.'],
    ['CERT_HAS_EXPIRED', 'The certificate has expired.'],
    ['ECONNREFUSED', 'ECONNREFUSED'],
    ['ERR_UNKNOWN', 'The request failed.'],
  ])('a delivery reports the error %s', (code, words) => {
    expect(describeError(Object.assign(new Error('about 10.0.0.1'), { code }))).toBe(words);
  });
});
