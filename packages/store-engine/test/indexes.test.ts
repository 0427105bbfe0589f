import type { Document } from 'mongodb';
import { describe, expect, test } from 'vitest';
import { useServer } from './support.ts';

const server = useServer();

type UniqueCase = [
  promise: string,
  key: Record<string, 1 | -1>,
  options: object,
  first: object,
  second: object,
  allowed: boolean,
];

const UNIQUE: UniqueCase[] = [
  ['refuses a second equal value', { a: 1 }, {}, { a: 1 }, { a: 1 }, false],
  ['refuses a value equal in another number type', { a: 1 }, {}, { a: 1 }, { a: 1n }, false],
  ['allows values of different types', { a: 1 }, {}, { a: 1 }, { a: '1' }, true],
  ['treats a missing value as null', { a: 1 }, {}, { a: null }, {}, false],
  ['refuses a second missing value', { a: 1 }, {}, {}, {}, false],
  ['allows several missing values when it is sparse', { a: 1 }, { sparse: true }, {}, {}, true],
  [
    'refuses a second null even when it is sparse',
    { a: 1 },
    { sparse: true },
    { a: null },
    { a: null },
    false,
  ],
  [
    'refuses duplicates within its partial filter',
    { a: 1 },
    { partialFilterExpression: { b: 1 } },
    { a: 1, b: 1 },
    { a: 1, b: 1 },
    false,
  ],
  [
    'allows duplicates outside its partial filter',
    { a: 1 },
    { partialFilterExpression: { b: 1 } },
    { a: 1, b: 1 },
    { a: 1, b: 2 },
    true,
  ],
  ['compares compound keys as a whole', { a: 1, b: -1 }, {}, { a: 1, b: 1 }, { a: 1, b: 2 }, true],
  ['refuses an equal compound key', { a: 1, b: -1 }, {}, { a: 1, b: 1 }, { b: 1, a: 1 }, false],
  ['refuses an element that another array contains', { a: 1 }, {}, { a: [1, 2] }, { a: [2, 3] }, false],
  ['refuses a value that an array contains', { a: 1 }, {}, { a: [1, 2] }, { a: 2 }, false],
  ['allows an array to repeat an element', { a: 1 }, {}, { a: [1, 1] }, { a: [2, 2] }, true],
  ['compares embedded documents', { a: 1 }, {}, { a: { x: 1 } }, { a: { x: 1 } }, false],
  [
    'distinguishes embedded documents with another order of keys',
    { a: 1 },
    {},
    { a: { x: 1, y: 1 } },
    { a: { y: 1, x: 1 } },
    true,
  ],
  [
    'compares long strings to their end',
    { a: 1 },
    {},
    { a: `${'x'.repeat(3000)}1` },
    { a: `${'x'.repeat(3000)}2` },
    true,
  ],
  [
    'refuses equal long strings',
    { a: 1 },
    {},
    { a: `${'x'.repeat(3000)}1` },
    { a: `${'x'.repeat(3000)}1` },
    false,
  ],
  ['follows dotted paths', { 'a.b': 1 }, {}, { a: { b: 1 } }, { a: [{ b: 1 }] }, false],
];

describe('a unique index', () => {
  test.each(UNIQUE)(
    'a unique index %s, on insert',
    async (_promise, key, options, first, second, allowed) => {
      const collection = server.fresh();
      await collection.createIndex(key, { unique: true, ...options });
      await collection.insertOne({ _id: 1, ...first });
      const outcome = await collection.insertOne({ _id: 2, ...second }).then(
        () => 'stored',
        (error: unknown) => error,
      );
      if (allowed) expect(outcome).toBe('stored');
      else expect(outcome).toMatchObject({ code: 11000, keyPattern: key });
      expect(await collection.countDocuments()).toBe(allowed ? 2 : 1);
    },
  );

  test.each(UNIQUE)(
    'a unique index %s, on update',
    async (_promise, key, options, first, second, allowed) => {
      const collection = server.fresh();
      await collection.createIndex(key, { unique: true, ...options });
      await collection.insertMany([
        { _id: 1, ...first },
        { _id: 2, a: 'other', b: 'other' },
      ]);
      const change = collection.replaceOne({ _id: 2 }, second);
      await (allowed
        ? expect(change).resolves.toMatchObject({ modifiedCount: 1 })
        : expect(change).rejects.toMatchObject({ code: 11000 }));
    },
  );

  test.each(UNIQUE)(
    'a unique index %s, when it is created after the documents',
    async (_promise, key, options, first, second, allowed) => {
      const collection = server.fresh();
      await collection.insertMany([
        { _id: 1, ...first },
        { _id: 2, ...second },
      ]);
      const made = collection.createIndex(key, { unique: true, ...options });
      await (allowed
        ? expect(made).resolves.toBeTypeOf('string')
        : expect(made).rejects.toMatchObject({ code: 11000 }));
      expect(await collection.indexes()).toHaveLength(allowed ? 2 : 1);
    },
  );

  test('a unique index reports key and value of the duplicate', async () => {
    const collection = server.fresh();
    await collection.createIndex({ a: 1, b: 1 }, { unique: true });
    await collection.insertOne({ _id: 1, a: 'x', b: 2 });
    const wanted = { code: 11000, keyPattern: { a: 1, b: 1 }, keyValue: { a: 'x', b: 2 } };
    await expect(collection.insertOne({ _id: 2, a: 'x', b: 2 })).rejects.toMatchObject(wanted);
    await expect(
      collection.updateOne({ a: 'y' }, { $set: { a: 'x', b: 2 } }, { upsert: true }),
    ).rejects.toMatchObject({ code: 11000 });
  });

  test('a unique index lets exactly one of many concurrent upserts insert the document', async () => {
    const collection = server.fresh();
    await collection.createIndex({ k: 1 }, { unique: true });
    const all = await Promise.allSettled(
      Array.from({ length: 20 }, () => collection.updateOne({ k: 1 }, { $inc: { n: 1 } }, { upsert: true })),
    );
    expect(all.filter(({ status }) => status === 'rejected')).toEqual([]);
    expect(await collection.find({}, { projection: { _id: 0 } }).toArray()).toEqual([{ k: 1, n: 20 }]);
  });
});

/** Returns the name of the plan's index, or COLLSCAN. */
function indexIn(plan: Document): string {
  if (typeof plan.indexName === 'string') return plan.indexName;
  const inner = (plan.inputStage ?? plan.inputStages?.[0] ?? plan.queryPlan) as Document | undefined;
  return inner ? indexIn(inner) : String(plan.stage);
}

describe('a query', () => {
  test.each([
    ['equality', { a: 5 }, {}, 'a_1_b_-1'],
    ['$in', { a: { $in: [1, 2] } }, {}, 'a_1_b_-1'],
    ['a range', { a: { $gt: 5, $lt: 9 } }, {}, 'a_1_b_-1'],
    ['equality and a range', { a: 5, b: { $gte: 3 } }, {}, 'a_1_b_-1'],
    ['equality and the sort that follows', { a: 5 }, { b: 1 }, 'a_1_b_-1'],
    ['a sort alone', {}, { a: 1, b: -1 }, 'a_1_b_-1'],
    ['a sort the other way round', {}, { a: -1, b: 1 }, 'a_1_b_-1'],
    ['a conjunction', { $and: [{ a: 1 }, { b: 2 }] }, {}, 'a_1_b_-1'],
    ['the beginning of a string', { s: /^ab/ }, {}, 's_1'],
    ['documents within a partial index', { p: 1, live: true }, {}, 'p_1'],
    ['a field without an index', { z: 1 }, {}, 'COLLSCAN'],
    ['documents outside a partial index', { p: 1 }, {}, 'COLLSCAN'],
    ['the second field of a compound index', { b: 1 }, {}, 'COLLSCAN'],
  ] as [string, Document, Record<string, 1 | -1>, string][])(
    'a query uses the right plan for %s',
    async (_what, filter, sort, index) => {
      const collection = server.fresh();
      await collection.createIndexes([
        { key: { a: 1, b: -1 } },
        { key: { s: 1 } },
        { key: { p: 1 }, partialFilterExpression: { live: true } },
      ]);
      await collection.insertMany(
        Array.from({ length: 50 }, (_, n) => ({
          _id: n,
          a: n % 10,
          b: n,
          s: `ab${n}`,
          p: n,
          live: n % 2 === 0,
        })),
      );
      const explained = await collection.find(filter).sort(sort).explain('queryPlanner');
      expect(indexIn((explained.queryPlanner as Document).winningPlan as Document)).toBe(index);
    },
  );

  test('a query uses the index that a hint names, and refuses an unknown name', async () => {
    const collection = server.fresh();
    await collection.createIndexes([{ key: { a: 1 } }, { key: { b: 1 } }]);
    await collection.insertOne({ _id: 1, a: 1, b: 1 });
    const explained = await collection.find({ a: 1 }).hint('b_1').explain('queryPlanner');
    expect(indexIn((explained.queryPlanner as Document).winningPlan as Document)).toBe('b_1');
    await expect(collection.find({ a: 1 }).hint('none').toArray()).rejects.toMatchObject({ code: 2 });
  });
});

describe('indexes', () => {
  test('indexes are listed with their options and dropped by name, but the index on _id cannot be dropped', async () => {
    const collection = server.fresh();
    await collection.createIndex({ a: 1 }, { unique: true, sparse: true, name: 'mine' });
    await collection.createIndex({ at: 1 }, { expireAfterSeconds: 60 });
    const listed = await collection.indexes();
    expect(listed).toContainEqual({ v: 2, key: { a: 1 }, name: 'mine', unique: true, sparse: true });
    expect(listed).toContainEqual({ v: 2, key: { at: 1 }, name: 'at_1', expireAfterSeconds: 60 });
    await collection.dropIndex('mine');
    await collection.dropIndex('at_1');
    expect(await collection.indexes()).toHaveLength(1);
    await expect(collection.dropIndex('mine')).rejects.toMatchObject({ code: 27 });
    await expect(collection.dropIndex('_id_')).rejects.toMatchObject({ code: 72 });
  });

  test('indexes are created once: an identical index changes nothing, and another index with the same name or the same key is refused', async () => {
    const collection = server.fresh();
    await collection.createIndex({ a: 1 });
    await collection.createIndex({ a: 1 });
    expect(await collection.indexes()).toHaveLength(2);
    await expect(collection.createIndex({ b: 1 }, { name: 'a_1' })).rejects.toMatchObject({ code: 86 });
    await expect(collection.createIndex({ a: 1 }, { name: 'other' })).rejects.toMatchObject({ code: 85 });
  });

  test('a compound index refuses a document with arrays in two of its fields', async () => {
    const collection = server.fresh();
    await collection.createIndex({ a: 1, b: 1 });
    await expect(collection.insertOne({ _id: 1, a: [1], b: [2] })).rejects.toMatchObject({ code: 171 });
    expect(await collection.countDocuments()).toBe(0);
  });
});
