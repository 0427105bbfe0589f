import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import type { Collection } from 'mongodb';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startStore } from '../src/server.ts';

interface Numbered {
  _id: string;
  group: string;
  number: number;
}

describe('a store after a restart', () => {
  let folder: string;
  let end: () => Promise<void>;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-store-'));
  });

  afterEach(async () => {
    await end();
    await rm(folder, { recursive: true, force: true });
  });

  async function open(): Promise<Collection<Numbered>> {
    const store = await startStore({ dataDir: folder });
    const client = await new MongoClient(store.uri).connect();
    end = async () => {
      await client.close();
      await store.close();
    };
    return client.db('restart').collection<Numbered>('things');
  }

  async function reopen(): Promise<Collection<Numbered>> {
    await end();
    return open();
  }

  test('a store refuses an existing _id after a restart and names the _id index, even if another unique index has a duplicate too', async () => {
    const before = await open();
    await before.createIndex({ group: 1, number: 1 }, { unique: true });
    await before.insertOne({ _id: 'a', group: 'g', number: 1 });
    const after = await reopen();
    await expect(after.insertOne({ _id: 'a', group: 'other', number: 2 })).rejects.toMatchObject({
      code: 11000,
    });
    await expect(after.insertOne({ _id: 'a', group: 'g', number: 1 })).rejects.toThrow(
      /index: _id_ dup key: { _id: "a" }/,
    );
    expect(await after.countDocuments()).toBe(1);
  });

  test('a store after a restart still enforces unique indexes besides _id, and lists all indexes with the same definitions as before', async () => {
    const before = await open();
    await before.createIndex(
      { group: 1, number: 1 },
      { unique: true, partialFilterExpression: { number: { $exists: true } } },
    );
    await before.insertOne({ _id: 'a', group: 'g', number: 1 });
    const listed = await before.indexes();
    const after = await reopen();
    expect(await after.indexes()).toEqual(listed);
    await expect(after.insertOne({ _id: 'b', group: 'g', number: 1 })).rejects.toMatchObject({
      code: 11000,
      keyValue: { group: 'g', number: 1 },
    });
  });
});
