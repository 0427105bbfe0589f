import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import mongoose from 'mongoose';
import { expect, onTestFinished, test } from 'vitest';
import { connectStore, disconnectStore } from '../../store/connection/connect.ts';
import { ownStore } from '../support/use-store.ts';

test('a command that meets a connection in the moment it closes is answered, and the store is found again', async () => {
  const sockets: Socket[] = [];
  const note = (message: unknown) => sockets.push((message as { socket: Socket }).socket);
  subscribe('net.client.socket', note);
  onTestFinished(() => void unsubscribe('net.client.socket', note));
  const store = await ownStore();
  onTestFinished(async () => {
    await disconnectStore();
    await store.close();
  });
  await connectStore(store.uri);
  const ping = () => mongoose.connection.db?.command({ ping: 1 });
  await ping();
  // Destroyed already, and nobody has been told yet.
  for (const socket of sockets) socket.destroy();
  await expect(ping()).rejects.toThrow('closed');
  expect(await ping()).toMatchObject({ ok: 1 });
});
