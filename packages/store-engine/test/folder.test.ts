import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Collection } from 'mongodb';
import { MongoClient } from 'mongodb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startStore } from '../src/server.ts';
import { openEnvironment } from '../src/storage/open-environment.ts';
import { openTables } from '../src/storage/tables.ts';
import { builtProgram, startProcess } from './process.ts';

interface FolderDocument {
  _id: number;
  n: number;
  text: string;
}

const COUNT = 2000;
const PAGE_BYTES = 4096;

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'store-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

async function withRows<T>(
  dataDir: string,
  work: (rows: Collection<FolderDocument>) => Promise<T>,
): Promise<T> {
  const store = await startStore({ dataDir });
  const client = await MongoClient.connect(store.uri);
  try {
    return await work(client.db('d').collection<FolderDocument>('rows'));
  } finally {
    await client.close();
    await store.close();
  }
}

function fill(): Promise<void> {
  return withRows(folder, async (rows) => {
    await rows.createIndex({ n: 1 }, { unique: true });
    await rows.insertMany(
      Array.from({ length: COUNT }, (_, n) => ({ _id: n, n: COUNT - n, text: `row ${n} `.padEnd(200, 'x') })),
    );
  });
}

const count = (dataDir: string): Promise<number> => withRows(dataDir, (rows) => rows.countDocuments());

/** Removes the digest row. */
async function forgetSums(): Promise<void> {
  const { root, digest } = openTables(folder);
  digest.removeSync(Buffer.from([0]));
  await root.close();
}

async function swap(): Promise<void> {
  await rm(folder, { recursive: true });
  await rename(`${folder}-copy`, folder);
}

test('a write to a store that is closing is refused, and ends no process', async () => {
  const environment = await openEnvironment(folder);
  const before = environment.write(() => 'stored');
  const closing = environment.close();
  await expect(environment.write(() => undefined)).rejects.toMatchObject({
    codeName: 'InterruptedAtShutdown',
  });
  await expect(before).resolves.toBe('stored');
  await closing;
  await expect(environment.write(() => undefined)).rejects.toMatchObject({
    codeName: 'InterruptedAtShutdown',
  });
});

describe('a data folder', () => {
  test('a data folder whose creation was interrupted is created again', async () => {
    await writeFile(join(folder, 'store.json'), '{"format":1,"state":"being made"}');
    await writeFile(join(folder, 'data.mdb'), '');
    expect(await count(folder)).toBe(0);
  });

  test('a data folder with an empty data file and no marker is refused, because it may have had data', async () => {
    await writeFile(join(folder, 'data.mdb'), '');
    await expect(startStore({ dataDir: folder })).rejects.toThrow(
      'its file data.mdb is empty. Go back to a backup',
    );
  });

  test.each([
    ['removed', () => rm(folder, { recursive: true })],
    ['replaced by a copy', () => cp(folder, `${folder}-copy`, { recursive: true }).then(swap)],
  ])('a running store stops with an error if its data folder is %s', async (_, change) => {
    const { child, uri } = await startProcess(folder);
    let stderr = '';
    child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    const client = await MongoClient.connect(uri);
    await client.db('d').collection('rows').insertOne({ n: 1 });
    await change();
    await vi.waitUntil(() => child.exitCode !== null, { timeout: 200_000 });
    await client.close();
    expect(child.exitCode).toBe(65);
    expect(stderr).toMatch(/data\.mdb was removed or replaced while it was used.*\n$/);
  });

  test('a data folder with an unreadable marker is used when its data is intact', async () => {
    await fill();
    await writeFile(join(folder, 'store.json'), '');
    expect(await count(folder)).toBe(COUNT);
  });

  test('a data folder of a newer release is refused', async () => {
    await fill();
    await writeFile(join(folder, 'store.json'), '{"format":99,"state":"made"}');
    await expect(startStore({ dataDir: folder })).rejects.toThrow(
      'was written by a newer release (format 99)',
    );
  });

  test('a data folder without a marker is used when its data is intact', async () => {
    await fill();
    await rm(join(folder, 'store.json'));
    expect(await count(folder)).toBe(COUNT);
    expect(await count(folder)).toBe(COUNT);
  });

  test.each([true, false])(
    'a data folder without a digest is refused (folder has a marker: %s)',
    async (isMarked) => {
      await fill();
      await forgetSums();
      if (!isMarked) await rm(join(folder, 'store.json'));
      await expect(startStore({ dataDir: folder })).rejects.toThrow('has no record of its contents');
    },
  );
});

describe('a damaged data folder', () => {
  test('a damaged data folder is salvaged into a new folder with all intact documents and their indexes', async () => {
    await fill();
    const path = join(folder, 'data.mdb');
    const pages = Math.floor((await stat(path)).size / PAGE_BYTES);
    const file = await open(path, 'r+');
    for (const part of [0.3, 0.5, 0.7])
      await file.write(Buffer.alloc(PAGE_BYTES), 0, PAGE_BYTES, Math.floor(pages * part) * PAGE_BYTES);
    await file.close();
    await expect(startStore({ dataDir: folder })).rejects.toThrow('check.js');

    const saved = `${folder}-saved`;
    const args = [builtProgram('check'), '--data-dir', folder, '--save-to', saved];
    const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stdout).toMatch(/^data\.mdb: its page \d+ is not what was written$/m);
    const told = Number(/saved of d\.rows: (\d+) documents/.exec(stdout)?.[1]);
    expect(told).toBeGreaterThan(COUNT / 2);
    await withRows(saved, async (rows) => {
      const all = await rows.find().toArray();
      expect(all).toHaveLength(told);
      for (const { _id, n, text } of all)
        expect([n, text]).toEqual([COUNT - _id, `row ${_id} `.padEnd(200, 'x')]);
      expect(await rows.find().hint({ n: 1 }).toArray()).toHaveLength(told);
      await expect(rows.insertOne({ _id: -1, n: all[0]!.n, text: '' })).rejects.toMatchObject({
        code: 11000,
      });
    });
    await rm(saved, { recursive: true });
  });
});
