import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Collection } from 'mongodb';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningStore } from '../src/server.ts';
import { startStore } from '../src/server.ts';
import type { StoreProcess } from './process.ts';
import { endProcess, startProcess } from './process.ts';

interface SliceDocument {
  _id: number;
  n: number;
  group: number;
  text: string;
}

const ROWS = 20_000;

/** A filter that matches nothing and tests every text eight times. */
const HARD = {
  $or: [1, 2, 3, 4, 5, 6, 7, 8].map((n) => ({
    text: { $regex: `(t|e|x)+ [0-9]+[.]+(none|nothing)?${n}!$` },
  })),
};

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'store-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

function row(n: number): SliceDocument {
  return { _id: n, n, group: n % 1000, text: `text ${(n * 7919) % ROWS}`.padEnd(100, '.') };
}

/**
 * The store and its clients share one thread. During a long statement, a client is served only in
 * the statement's pauses. The number of pauses depends on the machine's speed, not on its load.
 */
describe('a long statement', () => {
  let store: RunningStore;
  let client: MongoClient;
  let rows: Collection<SliceDocument>;

  beforeAll(async () => {
    store = await startStore({ dataDir: folder });
    client = await MongoClient.connect(store.uri);
    rows = client.db('slices').collection<SliceDocument>('rows');
    for (let at = 0; at < ROWS; at += 5000)
      await rows.insertMany(Array.from({ length: 5000 }, (_, n) => row(at + n)));
  });

  afterAll(async () => {
    await client.close();
    await store.close();
  });

  /** Runs `work` and returns how often the store served another client during `work`. */
  async function servedDuring(work: () => Promise<unknown>): Promise<number> {
    const state = { done: false };
    const working = work().finally(() => (state.done = true));
    let served = 0;
    while (!state.done) {
      expect(await rows.findOne({ _id: served })).toMatchObject({ _id: served });
      served++;
    }
    await working;
    return served;
  }

  test.each<[string, () => Promise<unknown>]>([
    ['a search without index', () => rows.find(HARD).toArray()],
    ['a sort without index', () => rows.find().sort({ text: 1 }).limit(5000).toArray()],
    [
      'an aggregation',
      () =>
        rows.aggregate([{ $group: { _id: '$group', all: { $sum: '$n' } } }, { $sort: { all: 1 } }]).toArray(),
    ],
    ['an update of one document that is slow to find', () => rows.updateOne(HARD, { $set: { n: 0 } })],
    ['an update of many documents', () => rows.updateMany({ group: { $gte: 0 } }, { $inc: { group: 1000 } })],
    ['an index build', () => rows.createIndex({ text: 1, _id: 1 }, { unique: true })],
    ['an index drop', () => rows.dropIndex('text_1__id_1')],
    ['a measurement of sizes', () => client.db().admin().listDatabases()],
  ])('other commands are served during a long statement: %s', async (_what, work) => {
    expect(await servedDuring(work)).toBeGreaterThan(3);
  });

  test('sixteen simultaneous long statements pause for other commands about as often, per statement, as a single long statement', async () => {
    const some = { _id: { $lt: ROWS / 4 }, ...HARD };
    const servedPerSearch = async (searches: number) => {
      const all = Array.from({ length: searches }, () => rows.find(some).toArray());
      return (await servedDuring(() => Promise.all(all))) / searches;
    };
    // A pause lasts as long as the slice before the pause. A stalled thread only makes both longer.
    const alone = [];
    for (let round = 0; round < 4; round += 1) alone.push(await servedPerSearch(1));
    expect(await servedPerSearch(16)).toBeGreaterThan(Math.min(...alone) / 4);
  });

  test('a count of the matches pauses for other commands, even when each match is slow', async () => {
    const all = { $or: [...HARD.$or, { n: { $gte: 0 } }] };
    expect(await servedDuring(() => rows.countDocuments(all))).toBeGreaterThan(20);
  });

  test('the time limit of a query applies to all its batches together', async () => {
    const some = { $or: [{ _id: { $lt: 101 } }, ...HARD.$or] };
    await expect(rows.find(some).maxTimeMS(20).toArray()).rejects.toMatchObject({ code: 50 });
  });

  test('an index contains the documents that are written during its build', async () => {
    const building = rows.createIndex({ n: 1 });
    const again = rows.createIndex({ n: 1 });
    const writes = Array.from({ length: 200 }, async (_, at) => {
      await rows.insertOne({ ...row(ROWS + at), n: -1 });
      await rows.updateOne({ _id: at }, { $set: { n: -1 } });
      await rows.deleteOne({ _id: ROWS - 1 - at });
    });
    await Promise.all([building, again, ...writes]);
    expect(await rows.find({ n: -1 }).hint('n_1').toArray()).toHaveLength(400);
    expect(
      await rows
        .find({ n: { $gte: -1 } })
        .hint('n_1')
        .toArray(),
    ).toHaveLength(ROWS);
    expect((await rows.indexes()).filter(({ name }) => name === 'n_1')).toHaveLength(1);
  });

  test('the creation of a unique index fails if values are duplicated, and leaves nothing behind', async () => {
    await expect(rows.createIndex({ group: 1 }, { unique: true })).rejects.toMatchObject({ code: 11000 });
    expect((await rows.indexes()).map(({ name }) => name)).not.toContain('group_1');
    await rows.createIndex({ group: 1 });
    expect(await rows.find({ group: 1500 }).hint('group_1').toArray()).toHaveLength(20);
  });
});

describe('a killed store', () => {
  let store: StoreProcess;
  let client: MongoClient;
  let rows: Collection<SliceDocument>;

  async function start(): Promise<void> {
    store = await startProcess(folder);
    client = await MongoClient.connect(store.uri);
    rows = client.db('slices').collection<SliceDocument>('rows');
  }

  async function kill(): Promise<void> {
    await endProcess(store, 'SIGKILL');
    await client.close();
  }

  beforeAll(start);

  test('a store that was killed during an index build can build the index completely after a restart', async () => {
    const building = rows.createIndex({ text: -1 }).catch(() => undefined);
    await client.db('slices').command({ ping: 1 });
    await kill();
    await building;
    await start();
    await rows.createIndex({ text: -1 });
    expect(await rows.find().hint('text_-1').toArray()).toHaveLength(await rows.countDocuments());
  });

  test('a killed store frees the space of a dropped collection at the next start', async () => {
    await rows.drop();
    expect(await rows.countDocuments()).toBe(0);
    await rows.insertOne(row(1));
    await kill();
    const again = await startStore({ dataDir: folder });
    const other = await MongoClient.connect(again.uri);
    const { totalSize } = await other.db().admin().listDatabases();
    expect(totalSize).toBeLessThan(1000);
    await other.close();
    await again.close();
  });
});
