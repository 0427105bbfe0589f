import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startStore } from '../src/server.ts';
import { openCatalog } from '../src/storage/catalog.ts';
import type { Index } from '../src/storage/collection.ts';
import { openEnvironment } from '../src/storage/open-environment.ts';
import type { Environment } from '../src/storage/environment.ts';
import { endKey, prefixKey } from '../src/storage/keys.ts';
import { builtProgram } from './process.ts';

interface CheckedDocument {
  _id: number;
  n: number;
  tags: string[];
  text?: string;
}

const COUNT = 50;
let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'store-'));
  const store = await startStore({ dataDir: folder });
  const client = await MongoClient.connect(store.uri);
  const rows = client.db('d').collection<CheckedDocument>('rows');
  await rows.createIndexes([
    { key: { n: 1 }, unique: true, name: 'n' },
    { key: { tags: 1 }, name: 'tags' },
    { key: { text: -1 }, name: 'text', partialFilterExpression: { text: { $exists: true } } },
  ]);
  await rows.insertMany(
    Array.from({ length: COUNT }, (_, n) => ({
      ...{ _id: n, n, tags: Array.from({ length: n % 4 }, (_unused, at) => `tag ${at}`) },
      ...(n % 2 ? { text: 'x'.repeat(n * 60) } : {}),
    })),
  );
  await rows.updateMany({ n: { $lt: 20 } }, { $push: { tags: 'new' } });
  await rows.deleteMany({ n: { $gte: 45 } });
  await client.close();
  await store.close();
});

afterEach(() => rm(folder, { recursive: true, force: true }));

function check(): { status: number | null; lines: string[]; stderr: string } {
  const args = [builtProgram('check'), '--data-dir', folder];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { status, lines: stdout.trim().split('\n'), stderr };
}

/** Changes stored rows directly in lmdb. */
async function tamper(
  change: (environment: Environment, indexes: Map<string, Index>) => void,
): Promise<void> {
  const environment = await openEnvironment(folder);
  const [collection] = openCatalog(environment).all();
  const indexes = new Map(collection?.indexes.map((index) => [index.name, index]));
  await environment.write(() => change(environment, indexes));
  await environment.close();
}

const rangeOf = (index: Index | undefined) => ({
  start: prefixKey(index?.id ?? 0),
  end: endKey(index?.id ?? 0),
});

describe('the check of a data folder', () => {
  test('the check of an intact data folder reports no damage', () => {
    const { status, lines } = check();
    expect(lines).toEqual([`d.rows: ${COUNT - 5} documents, 4 indexes`, 'all is well']);
    expect(status).toBe(0);
  });

  test('the check of a data folder reports missing index entries and entries without a document', async () => {
    await tamper(({ entries }, indexes) => {
      const [first] = [...entries.getKeys(rangeOf(indexes.get('n')))];
      entries.removeSync(first!);
      const [other] = [...entries.getKeys(rangeOf(indexes.get('tags')))];
      const wrong = Buffer.from(other!);
      wrong.writeUIntBE(999_999, wrong.length - 6, 6);
      entries.putSync(wrong, Buffer.alloc(0));
    });
    const { status, lines } = check();
    expect(lines).toEqual([
      'data.mdb: its index entries differ from what was written (205 of 205 found)',
      expect.stringContaining('d.rows: '),
      '  index n lacks 1 entries',
      '  index tags has 1 entries that no document has',
      'something is wrong',
    ]);
    expect(status).toBe(1);
  });

  test('the check of a data folder reports a changed index entry', async () => {
    await tamper(({ entries }, indexes) => {
      const keys = [...entries.getKeys(rangeOf(indexes.get('text')))];
      const wrong = Buffer.from(keys.at(-1)!);
      wrong[8] = wrong[8]! ^ 1;
      entries.removeSync(keys.at(-1)!);
      entries.putSync(wrong, Buffer.alloc(0));
    });
    expect(check().lines.slice(2, 4)).toEqual([
      '  index text lacks 1 entries',
      '  index text has 1 entries that no document has',
    ]);
  });

  test('the check of a data folder reports a changed document as damaged', async () => {
    await tamper(({ records }) => {
      const [{ key, value }] = [...records.getRange({ limit: 1 })] as [{ key: Buffer; value: Buffer }];
      const wrong = Buffer.from(value);
      wrong[wrong.length - 3] = wrong[wrong.length - 3]! ^ 1;
      records.putSync(key, wrong);
    });
    const { status, lines } = check();
    expect(lines[1]).toBe('  1 documents are damaged');
    expect(status).toBe(1);
  });

  test('the check refuses a data folder that is in use and a folder without a store', async () => {
    const store = await startStore({ dataDir: folder });
    expect(check()).toMatchObject({
      status: 1,
      stderr: `check: The data folder ${folder} is in use by another process (${process.pid})\n`,
    });
    await store.close();
    await rm(folder, { recursive: true });
    expect(check()).toMatchObject({ status: 1, stderr: `check: there is no store in ${folder}\n` });
  });
});
