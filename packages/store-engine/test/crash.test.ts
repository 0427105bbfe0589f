import { mkdtemp, rm, truncate, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startStore } from '../src/server.ts';
import { endProcess, startProcess } from './process.ts';

const KILLS = Number(process.env.STORE_KILLS ?? 20);

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'store-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

interface CrashDocument {
  _id: string;
  n: number;
  twin: number;
}

/**
 * Writes over several connections and returns a function that stops the writes. `known` receives
 * the acknowledged writes: the minimum that must survive.
 */
function load(
  uri: string,
  { round, known }: { round: number; known: Map<string, number> },
): () => Promise<void> {
  const client = new MongoClient(uri, { maxPoolSize: 8 });
  const rows = client.db('crash').collection<CrashDocument>('rows');
  const writer = async (lane: number): Promise<void> => {
    for (let at = 0; ; at++) {
      const id = `${round}-${lane}-${at}`;
      await rows.insertOne({ _id: id, n: at, twin: at });
      known.set(id, at);
      await rows.updateOne({ _id: id }, { $inc: { n: 1000, twin: 1000 } });
      known.set(id, at + 1000);
    }
  };
  const writing = Promise.allSettled(Array.from({ length: 8 }, (_, lane) => writer(lane)));
  return async () => {
    await client.close();
    await writing;
  };
}

async function check(uri: string, known: ReadonlyMap<string, number>): Promise<void> {
  const client = await MongoClient.connect(uri);
  const rows = client.db('crash').collection<CrashDocument>('rows');
  const stored = new Map((await rows.find().hint({ $natural: 1 }).toArray()).map((row) => [row._id, row]));
  for (const [id, least] of known) expect(stored.get(id)?.n, id).toBeGreaterThanOrEqual(least);
  for (const row of stored.values()) expect(row.n).toBe(row.twin);
  const byIndex = await rows
    .find({ n: { $gte: 0 } })
    .hint('n_1')
    .toArray();
  expect(new Set(byIndex.map((row) => row._id))).toEqual(new Set(stored.keys()));
  expect(byIndex).toHaveLength(stored.size);
  await client.close();
}

describe('a killed store', () => {
  test(`keeps every acknowledged write, complete and in its indexes, over ${KILLS} kills`, async () => {
    const known = new Map<string, number>();
    let store = await startProcess(folder);
    const client = await MongoClient.connect(store.uri);
    await client.db('crash').collection('rows').createIndex({ n: 1 });
    await client.close();
    for (let round = 0; round < KILLS; round++) {
      const wanted = known.size + 1 + Math.random() * 200;
      const endLoad = load(store.uri, { round, known });
      await vi.waitUntil(() => known.size >= wanted, { timeout: 120_000, interval: 1 });
      await endProcess(store, 'SIGKILL');
      await endLoad();
      store = await startProcess(folder);
      if (round % 10 === 9 || round === KILLS - 1) await check(store.uri, known);
    }
    expect(await endProcess(store, 'SIGTERM')).toBe(0);
  }, 900_000);
});

describe('a data folder', () => {
  test('a data folder is refused to a second process until the first process ends', async () => {
    const first = await startProcess(folder);
    await expect(startProcess(folder)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('in use') as string,
    });
    await expect(startStore({ dataDir: folder })).rejects.toThrow('in use');
    await endProcess(first, 'SIGKILL');
    const second = await startStore({ dataDir: folder });
    await expect(startStore({ dataDir: folder })).rejects.toThrow('in use');
    await second.close();
  });

  test('a data folder that many processes open at once belongs to exactly one process', async () => {
    const starts = await Promise.allSettled(Array.from({ length: 4 }, () => startProcess(folder)));
    const won = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
    const lost = starts.flatMap((start) => (start.status === 'rejected' ? [start.reason as unknown] : []));
    for (const store of won) await endProcess(store, 'SIGKILL');
    expect(won).toHaveLength(1);
    for (const exit of lost)
      expect(exit).toMatchObject({ code: 1, stderr: expect.stringContaining('in use') as string });
  });

  test.each(['truncated', 'overwritten', 'empty', 'missing'])(
    'a data folder whose data file is %s is refused with a one-line error',
    async (kind) => {
      const store = await startStore({ dataDir: folder });
      const client = await MongoClient.connect(store.uri);
      await client
        .db('d')
        .collection('c')
        .insertMany(Array.from({ length: 2000 }, (_, n) => ({ n, text: 'x'.repeat(200) })));
      await client.close();
      await store.close();
      const file = join(folder, 'data.mdb');
      const { size } = await stat(file);
      if (kind === 'truncated') await truncate(file, Math.floor(size / 2));
      else if (kind === 'empty') await truncate(file, 0);
      else if (kind === 'missing') await rm(file);
      else await writeFile(file, Buffer.alloc(size, 7));
      await expect(startProcess(folder)).rejects.toMatchObject({
        code: 65,
        stderr: expect.stringMatching(/^store: .*damaged.*$/m) as string,
      });
    },
  );

  test('a data folder keeps its documents over a clean restart', async () => {
    const first = await startStore({ dataDir: folder });
    const client = await MongoClient.connect(first.uri);
    await client.db('d').collection('c').insertOne({ kept: true });
    await client.close();
    await first.close();
    const second = await startStore({ dataDir: folder });
    const again = await MongoClient.connect(second.uri);
    expect(await again.db('d').collection('c').countDocuments({ kept: true })).toBe(1);
    await again.close();
    await second.close();
  });
});
