import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Collection } from 'mongodb';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { RunningStore } from '../src/server.ts';
import { startStore } from '../src/server.ts';

interface ExpiringDocument {
  _id: number;
  [field: string]: unknown;
}

describe('a TTL index', () => {
  let folder = '';
  let store: RunningStore;
  let client: MongoClient;
  let count = 0;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'store-'));
    store = await startStore({ dataDir: folder, sweepEveryMs: 50 });
    client = await MongoClient.connect(store.uri);
  });

  afterAll(async () => {
    await client.close();
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  const fresh = (): Collection<ExpiringDocument> =>
    client.db('expiry').collection<ExpiringDocument>(`c${++count}`);
  const ago = (seconds: number): Date => new Date(Date.now() - seconds * 1000);

  async function leaves(collection: Collection<ExpiringDocument>, ids: number[]): Promise<void> {
    await vi.waitFor(
      async () => {
        const left = await collection.find().sort({ _id: 1 }).toArray();
        expect(left.map(({ _id }) => _id)).toEqual(ids);
      },
      { timeout: 200_000, interval: 50 },
    );
  }

  test('a TTL index removes expired documents only', async () => {
    const collection = fresh();
    await collection.insertMany([
      { _id: 1, at: ago(120) },
      { _id: 2, at: ago(30) },
      { _id: 3, at: 'no date' },
      { _id: 4 },
      { _id: 5, at: null },
      { _id: 6, at: [ago(10), ago(120)] },
      { _id: 7, at: [] },
      { _id: 8, at: 12 },
    ]);
    await collection.createIndex({ at: 1 }, { expireAfterSeconds: 60 });
    await leaves(collection, [2, 3, 4, 5, 7, 8]);
  });

  test('a TTL index with zero seconds removes each document at the time in its field', async () => {
    const collection = fresh();
    await collection.createIndex({ expiresAt: 1 }, { expireAfterSeconds: 0 });
    const expiresAt = new Date(Date.now() + 500);
    await collection.insertMany([
      { _id: 1, expiresAt },
      { _id: 2, expiresAt: new Date(Date.now() + 600_000) },
    ]);
    const count = await collection.countDocuments();
    if (Date.now() < expiresAt.getTime()) expect(count).toBe(2);
    await leaves(collection, [2]);
  });

  test('a partial TTL index removes only the documents that the index contains', async () => {
    const collection = fresh();
    await collection.insertMany([
      { _id: 1, at: ago(120), done: true },
      { _id: 2, at: ago(120), done: false },
    ]);
    await collection.createIndex(
      { at: 1 },
      { expireAfterSeconds: 60, partialFilterExpression: { done: true } },
    );
    await leaves(collection, [2]);
  });

  test('a TTL index removes thousands of documents and index entries while other commands run', async () => {
    const collection = fresh();
    await collection.insertMany(Array.from({ length: 3000 }, (_, n) => ({ _id: n, at: ago(120), n })));
    await collection.createIndex({ n: 1 });
    await collection.insertOne({ _id: 5000, n: 1 });
    await collection.createIndex({ at: 1 }, { expireAfterSeconds: 60 });
    await leaves(collection, [5000]);
    expect(await collection.countDocuments({ n: { $gte: 0 } }, { hint: 'n_1' })).toBe(1);
    expect(await collection.countDocuments({ at: { $gt: new Date(0) } }, { hint: 'at_1' })).toBe(0);
  });
});
