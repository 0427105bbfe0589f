import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MongoClient } from 'mongodb';
import mongoose from 'mongoose';
import { expect, onTestFinished, test } from 'vitest';
import { connectStore, disconnectStore } from '../../../store/connection/connect.ts';
import { ownStore } from '../../support/use-store.ts';

/**
 * Records the sockets that this process opens until the test ends, and returns them in a list that
 * grows.
 */
function recordSockets(): Socket[] {
  const sockets: Socket[] = [];
  const record = (message: unknown) => sockets.push((message as { socket: Socket }).socket);
  subscribe('net.client.socket', record);
  onTestFinished(() => void unsubscribe('net.client.socket', record));
  return sockets;
}

/** Returns a client of a newly loaded copy of the driver, without patches. */
function unpatchedClient(uri: string): MongoClient {
  const require = createRequire(createRequire(import.meta.url).resolve('mongoose'));
  const loaded = Object.entries(require.cache).filter(([file]) => /\/mongodb\/lib\//.test(file));
  for (const [file] of loaded) Reflect.deleteProperty(require.cache, file);
  const driver = require('mongodb') as { MongoClient: new (uri: string) => MongoClient };
  for (const file of Object.keys(require.cache))
    if (/\/mongodb\/lib\//.test(file)) Reflect.deleteProperty(require.cache, file);
  Object.assign(require.cache, Object.fromEntries(loaded));
  return new driver.MongoClient(uri);
}

test('without the patch, a command on a destroyed socket never ends', async () => {
  const sockets = recordSockets();
  const store = await ownStore();
  onTestFinished(() => store.close());
  const client = unpatchedClient(store.uri);
  const ping = () => client.db('test').command({ ping: 1 });
  await ping();
  for (const socket of sockets) socket.destroy();
  const outcome = ping().then(
    () => 'succeeded',
    () => 'failed',
  );
  expect(await Promise.race([outcome, sleep(2_000, 'waits')])).toBe('waits');
});

test('a command on a destroyed socket fails, and the next command reconnects to the store', async () => {
  const sockets = recordSockets();
  const store = await ownStore();
  onTestFinished(async () => {
    await disconnectStore();
    await store.close();
  });
  await connectStore(store.uri);
  const ping = () => mongoose.connection.db?.command({ ping: 1 });
  await ping();
  // The next command starts before the driver is notified that the sockets are destroyed.
  for (const socket of sockets) socket.destroy();
  await expect(ping()).rejects.toThrow('closed');
  expect(await ping()).toMatchObject({ ok: 1 });
}, 60_000);
