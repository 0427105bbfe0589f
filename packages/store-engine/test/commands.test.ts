import { Binary, Long, MaxKey, MinKey, ObjectId } from 'mongodb';
import { describe, expect, test } from 'vitest';
import { numbered, useServer } from './support.ts';

const server = useServer();

describe('find', () => {
  test('find sorts, skips and limits documents', async () => {
    const collection = await numbered(server, 20);
    const page = await collection.find().sort({ half: -1, _id: 1 }).skip(1).limit(3).toArray();
    expect(page.map((doc) => doc._id)).toEqual([19, 16, 17]);
  });

  test('find sorts types in the order of MongoDB', async () => {
    const collection = server.fresh();
    const values = [
      new MinKey(),
      null,
      1,
      'a',
      { x: 1 },
      new Binary(Buffer.from('a')),
      new ObjectId(),
      true,
      new Date(0),
      /r/,
      new MaxKey(),
    ];
    await collection.insertMany(values.map((v, at) => ({ _id: at, v })).reverse());
    const ids = (await collection.find().sort({ v: 1 }).toArray()).map((doc) => doc._id);
    expect(ids).toEqual(values.map((_value, at) => at));
  });

  test('find sorts arrays by the smallest element, and by the largest element when descending', async () => {
    const collection = server.fresh();
    await collection.insertMany([
      { _id: 1, a: [3, 9] },
      { _id: 2, a: 5 },
      { _id: 3, a: [1, 4] },
    ]);
    expect((await collection.find().sort({ a: 1 }).toArray()).map((doc) => doc._id)).toEqual([3, 1, 2]);
    expect((await collection.find().sort({ a: -1 }).toArray()).map((doc) => doc._id)).toEqual([1, 2, 3]);
  });

  test('find sorts by a field below an array in the order of an index: a scalar element counts as a missing field', async () => {
    const docs = [
      { _id: 1, a: [{ x: 1 }, 'scalar'] },
      { _id: 2, a: { x: 0 } },
      {
        _id: 3,
        a: [
          { x: 0, y: 5 },
          { x: 3, y: 0 },
        ],
      },
      { _id: 4, a: [{ x: 0, y: 4 }] },
    ];
    for (const indexed of [false, true]) {
      const collection = server.fresh();
      if (indexed) await collection.createIndex({ 'a.x': 1, 'a.y': 1, _id: 1 });
      await collection.insertMany(docs);
      const ordered = (sort: Record<string, 1 | -1>) =>
        collection
          .find()
          .sort(sort)
          .map(({ _id }) => _id)
          .toArray();
      expect(await ordered({ 'a.x': 1, _id: 1 })).toEqual([1, 2, 3, 4]);
      expect(await ordered({ 'a.x': 1, 'a.y': 1, _id: 1 })).toEqual([1, 2, 4, 3]);
    }
  });

  test('find refuses a sort by two parallel arrays', async () => {
    const collection = server.fresh();
    await collection.insertOne({ _id: 1, a: [1], b: [2] });
    const sorted = collection.find().sort({ a: 1, b: 1 }).toArray();
    await expect(sorted).rejects.toMatchObject({
      code: 2,
      message: expect.stringContaining('parallel arrays'),
    });
    expect(await collection.find().sort({ a: 1 }).toArray()).toHaveLength(1);
  });

  test('find returns batches of the requested size, refuses a negative size and removes a killed cursor', async () => {
    const collection = await numbered(server, 300);
    const cursor = collection.find().batchSize(50);
    let count = 0;
    for await (const _doc of cursor) count++;
    expect(count).toBe(300);
    const first = await server.db.command({ find: collection.collectionName, batchSize: 10 });
    expect(first.cursor.firstBatch).toHaveLength(10);
    const id = Long.fromNumber(first.cursor.id as number);
    const killed = await server.db.command({ killCursors: collection.collectionName, cursors: [id] });
    expect(killed.cursorsKilled).toHaveLength(1);
    const more = server.db.command({ getMore: id, collection: collection.collectionName });
    await expect(more).rejects.toMatchObject({ code: 43 });
    const negative = server.db.command({ find: collection.collectionName, batchSize: -1 });
    await expect(negative).rejects.toMatchObject({ code: 2 });
  });

  test.each([
    ['inclusion', { a: 1 }, { _id: 1, a: 1 }],
    ['inclusion without _id', { a: 1, _id: 0 }, { a: 1 }],
    ['exclusion', { a: 0, l: 0, d: 0 }, { _id: 1, b: 2 }],
    ['inclusion of _id alone', { _id: 1 }, { _id: 1 }],
    ['inclusion of a nested field', { 'd.x': 1, _id: 0 }, { d: { x: 1 } }],
    ['exclusion of a nested field', { 'd.x': 0, l: 0 }, { _id: 1, a: 1, b: 2, d: { y: 2 } }],
    ['inclusion of a field in an array', { 'l.x': 1, _id: 0 }, { l: [{ x: 1 }, { x: 2 }] }],
    ['$slice', { l: { $slice: 1 }, d: 0 }, { _id: 1, a: 1, b: 2, l: [{ x: 1, y: 1 }] }],
  ])('find projects by %s', async (_what, projection, shown) => {
    const collection = server.fresh();
    await collection.insertOne({ _id: 1, a: 1, b: 2, d: { x: 1, y: 2 }, l: [{ x: 1, y: 1 }, { x: 2 }] });
    expect(await collection.findOne({}, { projection })).toEqual(shown);
  });

  test('find refuses a projection that mixes inclusion and exclusion', async () => {
    const mixed = server
      .fresh()
      .find({}, { projection: { a: 1, b: 0 } })
      .toArray();
    await expect(mixed).rejects.toMatchObject({ code: 31254 });
  });

  test('find fails if it takes longer than maxTimeMS', async () => {
    const collection = server.fresh();
    await collection.insertMany(
      Array.from({ length: 20_000 }, (_, n) => ({ _id: n, n, s: 'x'.repeat(100) })),
    );
    const slow = collection
      .find({ s: /never/, n: { $lt: -1 } })
      .maxTimeMS(1)
      .toArray();
    await expect(slow).rejects.toMatchObject({ code: 50 });
  });
});

describe('a collection', () => {
  test.each([
    ['no filter', {}, {}, 10],
    ['a filter', { n: { $gte: 4 } }, {}, 6],
    ['skip and limit', { n: { $gte: 4 } }, { skip: 1, limit: 3 }, 3],
  ])('a collection counts its documents with %s', async (_what, filter, options, count) => {
    expect(await (await numbered(server, 10)).countDocuments(filter, options)).toBe(count);
  });

  test('a collection and its database can be created, listed and dropped', async () => {
    const db = server.client.db(`other_${process.pid}`);
    await db.createCollection('made');
    await expect(db.createCollection('made')).rejects.toMatchObject({ code: 48 });
    expect((await db.listCollections().toArray()).map(({ name }) => name)).toEqual(['made']);
    expect((await server.client.db().admin().listDatabases()).databases.map(({ name }) => name)).toContain(
      db.databaseName,
    );
    expect(await db.collection('made').drop()).toBe(true);
    await db.dropDatabase();
    expect(await db.listCollections().toArray()).toEqual([]);
  });
});
