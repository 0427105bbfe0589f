import { describe, expect, test } from 'vitest';
import type { Doc } from './support.ts';
import { useServer } from './support.ts';

const server = useServer();

const DOCS = [
  { _id: 1, a: 1 },
  { _id: 2, a: null },
  { _id: 3 },
  { _id: 4, a: [] },
  { _id: 5, a: [0, 5] },
  { _id: 6, a: [[]] },
];

async function ids(cursor: { toArray(): Promise<Doc[]> }): Promise<unknown[]> {
  return (await cursor.toArray()).map(({ _id }) => _id);
}

describe.each(['without', 'with'])('an empty array, %s an index', (kind) => {
  async function filled() {
    const collection = server.fresh();
    if (kind === 'with') await collection.createIndex({ a: 1, _id: 1 });
    await collection.insertMany(DOCS);
    return collection;
  }

  test('an empty array sorts before null and missing values', async () => {
    const collection = await filled();
    expect(await ids(collection.find().sort({ a: 1, _id: 1 }))).toEqual([4, 2, 3, 5, 1, 6]);
    expect(await ids(collection.find().sort({ a: -1, _id: 1 }))).toEqual([6, 5, 1, 2, 3, 4]);
    expect(await ids(collection.aggregate<Doc>([{ $sort: { a: 1, _id: 1 } }]))).toEqual([4, 2, 3, 5, 1, 6]);
  });

  test('an empty array matches itself, also inside another array, and does not match null', async () => {
    const collection = await filled();
    expect(await ids(collection.find({ a: [] as never }).sort({ _id: 1 }))).toEqual([4, 6]);
    expect(await ids(collection.find({ a: null }).sort({ _id: 1 }))).toEqual([2, 3]);
    expect(await ids(collection.find({ a: { $exists: true } }).sort({ _id: 1 }))).toEqual([1, 2, 4, 5, 6]);
  });
});

describe('an index', () => {
  test('a unique index accepts one empty array and one null, and refuses a second empty array or a missing value', async () => {
    const collection = server.fresh();
    await collection.createIndex({ a: 1 }, { unique: true });
    await collection.insertMany([
      { _id: 1, a: [] },
      { _id: 2, a: null },
    ]);
    await expect(collection.insertOne({ _id: 3, a: [] })).rejects.toMatchObject({ code: 11000 });
    await expect(collection.insertOne({ _id: 4 })).rejects.toMatchObject({ code: 11000 });
  });

  test('a sparse index contains an empty array, because an empty array is a value', async () => {
    const collection = server.fresh();
    await collection.createIndex({ a: 1 }, { unique: true, sparse: true });
    await collection.insertMany([{ _id: 1 }, { _id: 2 }, { _id: 3, a: [] }]);
    await expect(collection.insertOne({ _id: 4, a: [] })).rejects.toMatchObject({ code: 11000 });
  });
});
