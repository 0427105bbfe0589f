import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from './eventually.ts';
import { startTcpProxy } from './tcp-proxy.ts';
import type { TcpProxy } from './tcp-proxy.ts';

describe('a connection over the test proxy', () => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.pipe(socket);
  });
  let proxy: TcpProxy;
  let socket: Socket;
  let heard = '';

  beforeEach(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    proxy = await startTcpProxy({ port: (server.address() as AddressInfo).port });
    heard = '';
    socket = await dial();
  });
  afterEach(async () => {
    socket.destroy();
    await proxy.close();
    await new Promise((resolve) => server.close(resolve));
  });

  async function dial(): Promise<Socket> {
    const dialled = connect(proxy.port, '127.0.0.1');
    dialled.on('error', () => undefined);
    dialled.on('data', (chunk: Buffer) => (heard += chunk.toString()));
    await once(dialled, 'connect');
    return dialled;
  }

  /** Waits for `count` round trips to the server on a direct connection, without the proxy. */
  async function roundTrips(count: number): Promise<void> {
    const direct = connect((server.address() as AddressInfo).port, '127.0.0.1');
    for (let n = 0; n < count; n += 1) {
      direct.write('x');
      await once(direct, 'data');
    }
    direct.destroy();
  }

  // Resolves when the socket closes, also after an error. `once` from node:events would reject at
  // the error.
  function closing(one: Socket): Promise<void> {
    return new Promise((resolve) => one.once('close', () => resolve()));
  }

  test('a connection over the test proxy passes all data in both directions until its end', async () => {
    socket.end('to and fro');
    await once(socket, 'close');
    expect(heard).toBe('to and fro');
  });

  test('a connection over a slow test proxy delays each direction and keeps the order', async () => {
    proxy.weather({ kind: 'slow', delayMs: 50 });
    const startedAt = performance.now();
    for (const word of ['one ', 'two ', 'three']) socket.write(word);
    await eventually(() => heard === 'one two three', { everyMs: 5 });
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(98);
  });

  test('a connection over a stalled test proxy holds all data and sends it after the stall', async () => {
    proxy.weather({ kind: 'stalled' });
    socket.write('held');
    // Ten round trips take much longer than the proxy needs to forward data.
    await roundTrips(10);
    expect(heard).toBe('');
    proxy.weather({ kind: 'clear' });
    await eventually(() => heard === 'held');
  });

  test('the test proxy resets open and new connections while it is cut, and accepts connections afterwards', async () => {
    proxy.weather({ kind: 'cut' });
    await closing(socket);
    await closing(connect(proxy.port, '127.0.0.1').on('error', () => undefined));
    proxy.weather({ kind: 'clear' });
    socket = await dial();
    socket.write('again');
    await eventually(() => heard === 'again');
  });
});
