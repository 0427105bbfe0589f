import mongoose from 'mongoose';
import { expect, onTestFinished, test } from 'vitest';
import { connectStore, disconnectStore } from '../../store/connection/connect.ts';
import { ownStore } from '../support/use-store.ts';

/** Connects to a new store. `end` is appended to the address of the store. */
async function connectTo(end: string): Promise<void> {
  const store = await ownStore();
  onTestFinished(async () => {
    await disconnectStore();
    await store.close();
  });
  const [address] = /^mongodb(\+srv)?:\/\/[^/]+/.exec(store.uri) ?? [];
  await connectStore(`${address}${end}`);
}

test.each([
  ['', 'parlance'],
  ['/', 'parlance'],
  ['/?retryWrites=true&appName=a/b', 'parlance'],
  ['/chats', 'chats'],
  ['/chats?retryWrites=true', 'chats'],
])('a MONGODB_URI that ends with %j selects the database %s, never the database test', async (end, name) => {
  await connectTo(end);
  expect(mongoose.connection.db?.databaseName).toBe(name);
});

test('a MONGODB_URI cannot weaken write or read guarantees', async () => {
  await connectTo('/chats?w=1&journal=false&readPreference=secondary');
  const { writeConcern, readPreference } = mongoose.connection.getClient().options;
  expect(writeConcern).toMatchObject({ w: 'majority', journal: true });
  expect(readPreference.mode).toBe('primary');
});
