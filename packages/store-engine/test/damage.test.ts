import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Collection } from 'mongodb';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startStore } from '../src/server.ts';
import type { Damaged } from './damages.ts';
import { PAGE_HEADER_BYTES } from '../src/storage/page-file.ts';
import { PAGE_BYTES, chanceOf, damage } from './damages.ts';

const DAMAGES = Number(process.env['STORE_DAMAGES'] ?? 90);
const SEED = Number(process.env['STORE_SEED'] ?? 1988);

interface DamagedRow {
  _id: number;
  group: string;
  at: Date;
  tags: string[];
  text: string;
  version: number;
}

const GROUPS = 7;

/** Builds a row. Some rows are longer than a page, so that lmdb stores them on separate pages. */
function row(n: number, version: number): DamagedRow {
  const text = `row ${n}, version ${version} `.padEnd(n % 40 === 0 ? 9000 : 60 + (n % 9) * 40, 'x');
  const tags = Array.from({ length: n % 4 }, (_, at) => `tag ${(n + at) % 11}`);
  return { _id: n, group: `group ${n % GROUPS}`, at: new Date(n * 1000), tags, text, version };
}

async function withStore<T>(folder: string, work: (rows: Collection<DamagedRow>) => Promise<T>): Promise<T> {
  const store = await startStore({ dataDir: folder });
  const client = await MongoClient.connect(store.uri);
  try {
    return await work(client.db('d').collection<DamagedRow>('rows'));
  } finally {
    await client.close();
    await store.close();
  }
}

/** Inserts, changes and removes rows, so that the file has reused and free pages. */
async function grow(rows: Collection<DamagedRow>, { from, to }: { from: number; to: number }): Promise<void> {
  for (let at = from; at < to; at += 50)
    await rows.insertMany(Array.from({ length: 50 }, (_, n) => row(at + n, 1)));
  for (let n = 0; n < to; n += 3) await rows.replaceOne({ _id: n }, row(n, to));
  await rows.deleteMany({ _id: { $gte: from + 10, $lt: from + 40 } });
}

/** Returns the results of several queries, or their errors. */
async function answers(rows: Collection<DamagedRow>): Promise<unknown[]> {
  const all = [
    () => rows.find().toArray(),
    () => rows.find().sort({ at: -1 }).toArray(),
    () => rows.countDocuments({ group: 'group 3' }),
    () => rows.estimatedDocumentCount(),
    () =>
      rows
        .find({ group: { $in: ['group 1', 'group 5'] } })
        .sort({ group: 1, at: 1 })
        .toArray(),
    () => rows.find({ tags: 'tag 4' }).sort({ _id: 1 }).toArray(),
    () => rows.findOne({ _id: 40 }),
    () => rows.aggregate([{ $group: { _id: '$group', n: { $sum: 1 } } }, { $sort: { _id: 1 } }]).toArray(),
    () => rows.indexes(),
  ];
  const given = [];
  for (const ask of all) given.push(await ask().catch((error: unknown) => error));
  return given;
}

let parent = '';
let right: unknown[] = [];
const original = { now: Buffer.alloc(0), before: Buffer.alloc(0) };

beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'store-'));
  const folder = join(parent, 'original');
  await withStore(folder, async (rows) => {
    await rows.createIndexes([
      { key: { group: 1, at: 1 } },
      { key: { at: 1 }, unique: true },
      { key: { tags: 1 } },
    ]);
    await grow(rows, { from: 0, to: 300 });
  });
  original.before = await readFile(join(folder, 'data.mdb'));
  right = await withStore(folder, async (rows) => {
    await grow(rows, { from: 300, to: 500 });
    return answers(rows);
  });
  original.now = await readFile(join(folder, 'data.mdb'));
});

afterAll(() => rm(parent, { recursive: true, force: true }));

/** Creates a data folder with the damaged file. */
async function folderWith({ bytes }: Damaged): Promise<string> {
  const folder = await mkdtemp(join(parent, 'damaged-'));
  await copyFile(join(parent, 'original', 'store.json'), join(folder, 'store.json'));
  await writeFile(join(folder, 'data.mdb'), bytes);
  return folder;
}

type Outcome = 'refused to start' | 'refused a document' | 'right';

/**
 * Opens a store on the folder and runs the queries before and after some writes. Fails if a result
 * is neither correct nor refused.
 */
async function outcomeOf(folder: string): Promise<Outcome> {
  try {
    const given = await withStore(folder, async (rows) => {
      const first = await answers(rows);
      // These writes use the pages that the file lists as free.
      await rows.insertMany(Array.from({ length: 100 }, (_, n) => ({ ...row(10_000 + n, 1), group: 'new' })));
      await rows.deleteMany({ group: 'new' });
      return [first, await answers(rows)];
    });
    const refused = given.flat().filter((one) => (one as { code?: unknown } | null)?.code === 281);
    for (const some of given)
      some.forEach((one, at) => refused.includes(one) || expect(one).toEqual(right[at]));
    return refused.length > 0 ? 'refused a document' : 'right';
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes('is damaged:')) throw error;
    expect(error.message).toMatch(
      /^The data folder \S+ is damaged: .+\. Go back to a backup of it, or see what can be saved: .+check\.js/,
    );
    expect(error.message).not.toContain('\n');
    return 'refused to start';
  }
}

describe(`a damaged data file (STORE_SEED=${SEED})`, () => {
  test(
    `never loses or changes a document silently, over ${DAMAGES} damages`,
    async () => {
      const chance = chanceOf(SEED);
      const outcomes: Record<Outcome, number> = { 'refused to start': 0, 'refused a document': 0, right: 0 };
      for (let n = 0; n < DAMAGES; n++) {
        const damaged = damage(original, { n, chance });
        const folder = await folderWith(damaged);
        const outcome = await outcomeOf(folder).catch((error: unknown) => {
          throw new Error(`damage ${n}, ${damaged.kind}`, { cause: error });
        });
        outcomes[outcome]++;
        await rm(folder, { recursive: true });
      }
      expect(outcomes['refused to start']).toBeGreaterThan(DAMAGES / 4);
      expect(outcomes.right).toBeGreaterThan(DAMAGES / 20);
    },
    60_000 + DAMAGES * 2000,
  );

  // A flip of any of these bits crashed the process or hid every document in an earlier version.
  test.each([
    ['a last page far behind the end', 125, 0x01],
    ['other flags for free pages', 28, 0x04],
    ['other flags for free pages', 29, 0x20],
    ['other flags for tables', 76, 0x02],
  ])('a damaged data file is refused when a meta page has %s (byte %i)', async (_, at, bit) => {
    for (const page of [0, 1]) {
      const bytes = Buffer.from(original.now);
      bytes[page * PAGE_BYTES + PAGE_HEADER_BYTES + at]! ^= bit;
      expect(await outcomeOf(await folderWith({ kind: 'a meta page', bytes }))).toBe('refused to start');
    }
  });

  test('a data file of another format is refused with its own message, and called damaged if only one meta page has the format', async () => {
    const withFormat = async (pages: number[]) => {
      const bytes = Buffer.from(original.now);
      for (const page of pages) bytes.writeUInt32LE(3, page * PAGE_BYTES + PAGE_HEADER_BYTES + 4);
      return folderWith({ kind: 'another format', bytes });
    };
    const foreign = await withFormat([0, 1]);
    await expect(withStore(foreign, answers)).rejects.toThrow(
      `The data folder ${foreign} is not damaged, but its format is 3, and this version of lmdb reads format 2. Start it with the release`,
    );
    expect(await outcomeOf(await withFormat([0]))).toBe('refused to start');
    expect(await outcomeOf(await withFormat([1]))).toBe('refused to start');
  });

  test('a data file without damage opens without an error', async () => {
    expect(await outcomeOf(await folderWith({ kind: 'none', bytes: original.now }))).toBe('right');
    expect(right.every((one) => !(one instanceof Error))).toBe(true);
  });
});
