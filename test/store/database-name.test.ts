import mongoose from 'mongoose';
import { expect, onTestFinished, test } from 'vitest';
import { startStore } from '@parlance/store-engine';
import { connectStore, disconnectStore } from '../../store/connection/connect.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test.each([
  ['', 'parlance'],
  ['/', 'parlance'],
  ['/?retryWrites=true&appName=a/b', 'parlance'],
  ['/chats', 'chats'],
  ['/chats?retryWrites=true', 'chats'],
])('a MONGODB_URI that ends with %j means database %s, and never test', async (end, name) => {
  const folder = await temporaryFolder();
  const store = await startStore({ dataDir: folder.path });
  onTestFinished(async () => {
    await disconnectStore();
    await store.close();
    await folder.remove();
  });
  await connectStore(`${store.uri.replace(/\/$/, '')}${end}`);
  expect(mongoose.connection.db?.databaseName).toBe(name);
});
