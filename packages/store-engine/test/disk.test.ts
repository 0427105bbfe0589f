import { mkdtemp, open, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startStore } from '../src/server.ts';
import type { StoreProcess } from './process.ts';
import { endProcess, startProcess } from './process.ts';

interface DiskDocument {
  _id: number;
  text: string;
}

const PAGE_BYTES = 4096;

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'store-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function withRows<T>(uri: string, work: (client: MongoClient) => Promise<T>): Promise<T> {
  const client = await MongoClient.connect(uri);
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

/** Inserts documents `{ _id: n, text }` with distinct texts. */
async function fill(count: number): Promise<void> {
  const store = await startStore({ dataDir: folder });
  await withRows(store.uri, async (client) => {
    const rows = client.db('d').collection<DiskDocument>('rows');
    await rows.createIndex({ text: 1 });
    await rows.insertMany(Array.from({ length: count }, (_, n) => ({ _id: n, text: textOf(n) })));
  });
  await store.close();
}

function textOf(n: number): string {
  return `row ${n} `.padEnd(500, 'x');
}

async function overwrite(at: number, bytes: Buffer): Promise<void> {
  const file = await open(join(folder, 'data.mdb'), 'r+');
  await file.write(bytes, 0, bytes.length, at);
  await file.close();
}

describe('a full disk', () => {
  test('a full disk makes the write fail with a disk error, and the store keeps running and loses no acknowledged write', async () => {
    const full = await startProcess(folder, { fileKiB: 3000 });
    const answered: number[] = [];
    await withRows(full.uri, async (client) => {
      const rows = client.db('d').collection<DiskDocument>('rows');
      const fillUp = async (): Promise<never> => {
        for (let n = 0; ; n++) {
          await rows.insertOne({ _id: n, text: textOf(n).repeat(40) });
          answered.push(n);
        }
      };
      await expect(fillUp()).rejects.toMatchObject({ code: 14031 });
      expect(await rows.countDocuments()).toBe(answered.length);
      expect(await rows.findOne({ _id: answered.length - 1 })).toMatchObject({ _id: answered.length - 1 });
    });
    expect(answered.length).toBeGreaterThan(10);
    await endProcess(full, 'SIGKILL');
    const roomy = await startStore({ dataDir: folder });
    await withRows(roomy.uri, async (client) => {
      const rows = client.db('d').collection<DiskDocument>('rows');
      const stored = await rows.find().sort({ _id: 1 }).toArray();
      expect(stored.map(({ _id }) => _id)).toEqual(answered);
      await rows.insertOne({ _id: -1, text: 'there is room again' });
    });
    await roomy.close();
  });
});

describe('a damaged document', () => {
  test('statements that read a damaged document fail, and all other documents stay readable', async () => {
    await fill(300);
    const file = await readFile(join(folder, 'data.mdb'));
    // Name and length precede the text in the document only, not in the index.
    const start = `text\0${String.fromCharCode(501 & 255, 501 >> 8)}\0\0${textOf(123)}`;
    for (let at = file.indexOf(start, 0, 'latin1'); at !== -1; at = file.indexOf(start, at + 1, 'latin1'))
      await overwrite(at + 300, Buffer.from('damage'));
    const store = await startStore({ dataDir: folder });
    await withRows(store.uri, async (client) => {
      const rows = client.db('d').collection<DiskDocument>('rows');
      await expect(rows.findOne({ _id: 123 })).rejects.toMatchObject({ code: 281 });
      await expect(rows.find().toArray()).rejects.toMatchObject({ code: 281 });
      await expect(rows.updateOne({ _id: 123 }, { $set: { text: 'new' } })).rejects.toThrow('damaged');
      expect(await rows.findOne({ _id: 122 })).toEqual({ _id: 122, text: textOf(122) });
    });
    await store.close();
  });
});

describe('a damaged page', () => {
  /** Returns the ids of all documents of the folder, or the error of the store. */
  async function readAll(): Promise<{ rows: number[] } | { refusal: string }> {
    let store: StoreProcess | undefined;
    try {
      store = await startProcess(folder);
      const found = await withRows(store.uri, (client) =>
        client.db('d').collection<DiskDocument>('rows').find().sort({ _id: 1 }).toArray(),
      );
      return { rows: found.map(({ _id }) => _id) };
    } catch (error) {
      return { refusal: String(error) };
    } finally {
      if (store) await endProcess(store, 'SIGKILL');
    }
  }

  test('a damaged page never loses data silently: the store refuses to start or to read, or returns everything', async () => {
    await fill(400);
    const path = join(folder, 'data.mdb');
    const whole = await readFile(path);
    const pages = Math.floor((await stat(path)).size / PAGE_BYTES);
    const outcomes = [];
    for (const part of [0.2, 0.45, 0.7, 0.95]) {
      const at = Math.max(2, Math.floor(pages * part)) * PAGE_BYTES;
      await overwrite(0, whole);
      await overwrite(at, Buffer.alloc(PAGE_BYTES));
      outcomes.push(await readAll());
    }
    const all = Array.from({ length: 400 }, (_, n) => n);
    for (const outcome of outcomes) if ('rows' in outcome) expect(outcome.rows).toEqual(all);
    expect(outcomes.some((outcome) => 'refusal' in outcome)).toBe(true);
  });
});

describe('documents that are overwritten again and again', () => {
  test('documents that are overwritten again and again need little more disk and memory', async () => {
    const store = await startProcess(folder);
    const sizes: { file: number; resident: number }[] = [];
    await withRows(store.uri, async (client) => {
      const rows = client.db('d').collection<DiskDocument>('rows');
      await rows.insertMany(Array.from({ length: 200 }, (_, n) => ({ _id: n, text: textOf(n) })));
      for (let round = 0; round < 40; round++) {
        const text = `round ${round} `.padEnd(2000, 'y');
        await rows.bulkWrite(
          Array.from({ length: 200 }, (_, n) => ({
            updateOne: { filter: { _id: n }, update: { $set: { text } } },
          })),
        );
        if (round % 20 !== 19) continue;
        const { mem } = await client.db('d').command({ serverStatus: 1 });
        const { size } = await stat(join(folder, 'data.mdb'));
        sizes.push({ file: size, resident: Number(mem.resident) });
      }
    });
    await endProcess(store, 'SIGTERM');
    const [early, late] = sizes;
    expect(late!.file).toBeLessThan(early!.file * 1.3);
    expect(late!.resident).toBeLessThan(early!.resident + 60);
  });
});
