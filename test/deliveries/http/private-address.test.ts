import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createWebhookClient } from '../../../deliveries/http/client.ts';
import type { Resolve } from '../../../deliveries/http/connector.ts';
import { startReceiver } from '../../support/receiver.ts';
import type { Receiver } from '../../support/receiver.ts';

let receiver: Receiver;

beforeEach(async () => {
  receiver = await startReceiver();
});

afterEach(async () => {
  await receiver.close();
});

async function sendTo(
  host: string,
  { allowed = [], resolve }: { allowed?: string[]; resolve?: Resolve } = {},
) {
  const client = createWebhookClient({
    timeoutMs: 20_000,
    allowedNetworks: allowed,
    version: '1.2.3',
    ...(resolve ? { resolve } : {}),
  });
  const { port, pathname } = new URL(receiver.url);
  const url = `http://${host}:${port}${pathname}`;
  const end = await client.sendWebhook({ url, id: 'event-1', body: '{}', secrets: [] });
  await client.close();
  return end;
}

function resolving(...addresses: string[]): Resolve {
  return () => Promise.resolve(addresses.map((address) => ({ address, family: 4 })));
}

describe('the guard against private addresses', () => {
  test.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '0x7f000001',
    '0.0.0.0',
    '0',
    '[::]',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '127。0。0。1',
    'localhost',
  ])('the guard against private addresses never contacts %s', async (host) => {
    expect((await sendTo(host)).outcome).toBe('private_address');
    expect(receiver.connections()).toBe(0);
  });

  test('the guard against private addresses never contacts a name that resolves to private addresses', async () => {
    const { outcome, reason } = await sendTo('inner.example', {
      resolve: resolving('127.0.0.1', '10.0.0.1'),
    });
    expect(outcome).toBe('private_address');
    expect(reason).toBe('The address is not public (loopback).');
    expect(receiver.connections()).toBe(0);
  });

  test('the guard against private addresses resolves and checks a name for every connection, which prevents DNS rebinding', async () => {
    const allowed = ['127.0.0.1/32'];
    const first = await sendTo('rebind.example', { allowed, resolve: resolving('127.0.0.1') });
    const second = await sendTo('rebind.example', { allowed, resolve: resolving('127.0.0.2') });
    expect([first.outcome, second.outcome]).toEqual(['delivered', 'private_address']);
  });

  test('the guard against private addresses contacts only the permitted addresses of a name', async () => {
    const resolve = resolving('10.0.0.1', '127.0.0.1');
    const end = await sendTo('mixed.example', { allowed: ['127.0.0.0/8'], resolve });
    expect(end.outcome).toBe('delivered');
    expect(receiver.received[0]?.headers.host).toBe(`mixed.example:${new URL(receiver.url).port}`);
  });

  test('names that the name servers do not know are resolved by the operating system', async () => {
    expect((await sendTo('localhost', { allowed: ['127.0.0.0/8', '::1/128'] })).outcome).toBe('delivered');
  });

  test('a name that does not resolve is reported as unreachable', async () => {
    const resolve = () => Promise.reject(Object.assign(new Error(), { code: 'ENOTFOUND' }));
    const end = await sendTo('nowhere.example', { resolve });
    expect(end).toMatchObject({ outcome: 'unreachable', reason: 'ENOTFOUND' });
  });

  test.each(['127.0.0.1', '127.1', '2130706433', '::1', '::ffff:127.0.0.1', 'localhost'])(
    'the guard against private addresses opens no connection for mail to %s, unless it is allowed',
    async (host) => {
      const port = Number(new URL(receiver.url).port);
      const guarded = createWebhookClient({ timeoutMs: 20_000, allowedNetworks: [], version: '1.2.3' });
      await expect(guarded.openSocket({ host, port })).rejects.toMatchObject({ name: 'PrivateAddressError' });
      await guarded.close();
      expect(receiver.connections()).toBe(0);
    },
  );

  test('a connection for mail to an allowed network is opened', async () => {
    const port = Number(new URL(receiver.url).port);
    const allowedNetworks = ['127.0.0.0/8'];
    const client = createWebhookClient({ timeoutMs: 20_000, allowedNetworks, version: '1.2.3' });
    const socket = await client.openSocket({ host: '127.0.0.1', port });
    expect(socket.remoteAddress).toBe('127.0.0.1');
    socket.destroy();
    await client.close();
  });
});
