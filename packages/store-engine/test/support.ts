import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Collection, Db, Document, ObjectId } from 'mongodb';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll } from 'vitest';
import type { RunningStore } from '../src/server.ts';
import { startStore } from '../src/server.ts';

export interface Doc extends Document {
  _id: number | string | ObjectId;
}

/**
 * False when the tests run against the server of `MONGODB_URI`. Tests without a condition on
 * `isEngine` must pass on both servers.
 */
export const isEngine = process.env.MONGODB_URI === undefined;

export interface TestServer {
  client: MongoClient;
  db: Db;
  /** Returns an unused collection. */
  fresh(): Collection<Doc>;
  uri: string;
}

/** Starts one server and one client for a test file. Drops the test database at the end. */
export function useServer(): TestServer {
  const server = {} as TestServer;
  let store: RunningStore | undefined;
  let folder = '';
  let count = 0;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'store-'));
    if (isEngine) store = await startStore({ dataDir: folder });
    server.uri = store?.uri ?? process.env.MONGODB_URI ?? '';
    server.client = await MongoClient.connect(server.uri);
    server.db = server.client.db(`conformance_${process.pid}_${Date.now()}`);
    server.fresh = () => server.db.collection<Doc>(`case_${++count}`);
  });
  afterAll(async () => {
    await server.db.dropDatabase();
    await server.client.close();
    await store?.close();
    await rm(folder, { recursive: true, force: true });
  });
  return server;
}

/**
 * Returns a collection with the documents `{ _id: n, n, half }`, where `half` is n / 2, rounded
 * down.
 */
export async function numbered(server: TestServer, count: number): Promise<Collection<Doc>> {
  const collection = server.fresh();
  await collection.insertMany(
    Array.from({ length: count }, (_, n) => ({ _id: n, n, half: Math.floor(n / 2) })),
  );
  return collection;
}
