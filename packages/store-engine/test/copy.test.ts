import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Long, MongoClient } from 'mongodb';
import { expect, test } from 'vitest';
import { startStore } from '../src/server.ts';
import { builtProgram } from './process.ts';

test('copy.js copies documents with their types and indexes to another server and overwrites nothing', async () => {
  const folders = await Promise.all([1, 2].map(() => mkdtemp(join(tmpdir(), 'store-'))));
  const stores = await Promise.all(folders.map((dataDir) => startStore({ dataDir })));
  const clients = await Promise.all(stores.map(({ uri }) => MongoClient.connect(uri)));
  const [source, target] = clients.map((client) => client.db('copied').collection('c'));
  await source!.createIndex({ a: 1 }, { unique: true, sparse: true });
  await source!.insertMany(
    Array.from({ length: 1200 }, (_, n) => ({ a: Long.fromNumber(n), text: `t${n}` })),
  );
  const copy = (): Promise<unknown> =>
    promisify(execFile)(process.execPath, [
      ...[builtProgram('copy'), '--from', stores[0]!.uri, '--to', stores[1]!.uri, '--db', 'copied'],
    ]);
  await copy();
  const copied = await target!.find({}, { promoteValues: false }).toArray();
  expect(copied.filter(({ a }) => a instanceof Long)).toHaveLength(1200);
  expect(await target!.indexes()).toEqual(await source!.indexes());
  await expect(copy()).rejects.toMatchObject({ stderr: expect.stringContaining('not empty') as string });
  await Promise.all(clients.map((client) => client.close()));
  await Promise.all(stores.map((store) => store.close()));
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true })));
});
