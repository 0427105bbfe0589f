import mongoose from 'mongoose';
import type { Collection } from 'mongodb';
import {
  BSONRegExp,
  Binary,
  Code,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
} from 'mongodb';
import { describe, expect, it } from 'vitest';
import type { Doc } from './support.ts';
import { useServer } from './support.ts';

const server = useServer();

async function numbered(count: number): Promise<Collection<Doc>> {
  const collection = server.fresh();
  await collection.insertMany(
    Array.from({ length: count }, (_, n) => ({ _id: n, n, half: Math.floor(n / 2) })),
  );
  return collection;
}

describe('find', () => {
  it('sorts, skips and limits', async () => {
    const collection = await numbered(20);
    const page = await collection.find().sort({ half: -1, _id: 1 }).skip(1).limit(3).toArray();
    expect(page.map((doc) => doc._id)).toEqual([19, 16, 17]);
  });

  it('sorts types in the order of MongoDB', async () => {
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

  it('sorts arrays by their smallest element, or descending by their largest', async () => {
    const collection = server.fresh();
    await collection.insertMany([
      { _id: 1, a: [3, 9] },
      { _id: 2, a: 5 },
      { _id: 3, a: [1, 4] },
    ]);
    expect((await collection.find().sort({ a: 1 }).toArray()).map((doc) => doc._id)).toEqual([3, 1, 2]);
    expect((await collection.find().sort({ a: -1 }).toArray()).map((doc) => doc._id)).toEqual([1, 2, 3]);
  });

  it('answers in batches of the wanted size and forgets a killed cursor', async () => {
    const collection = await numbered(300);
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
  });

  it.each([
    ['inclusion', { a: 1 }, { _id: 1, a: 1 }],
    ['inclusion without _id', { a: 1, _id: 0 }, { a: 1 }],
    ['exclusion', { a: 0, l: 0, d: 0 }, { _id: 1, b: 2 }],
    ['only _id', { _id: 1 }, { _id: 1 }],
    ['a nested field', { 'd.x': 1, _id: 0 }, { d: { x: 1 } }],
    ['a nested field left out', { 'd.x': 0, l: 0 }, { _id: 1, a: 1, b: 2, d: { y: 2 } }],
    ['a field in an array', { 'l.x': 1, _id: 0 }, { l: [{ x: 1 }, { x: 2 }] }],
    ['$slice', { l: { $slice: 1 }, d: 0 }, { _id: 1, a: 1, b: 2, l: [{ x: 1, y: 1 }] }],
    ['$elemMatch', { l: { $elemMatch: { x: 2 } }, _id: 0 }, { l: [{ x: 2 }] }],
    ['an expression', { sum: { $add: ['$a', '$b'] }, _id: 0 }, { sum: 3 }],
  ])('projects by %s', async (_what, projection, shown) => {
    const collection = server.fresh();
    await collection.insertOne({ _id: 1, a: 1, b: 2, d: { x: 1, y: 2 }, l: [{ x: 1, y: 1 }, { x: 2 }] });
    expect(await collection.findOne({}, { projection })).toEqual(shown);
  });

  it('refuses a mix of inclusion and exclusion', async () => {
    const mixed = server
      .fresh()
      .find({}, { projection: { a: 1, b: 0 } })
      .toArray();
    await expect(mixed).rejects.toMatchObject({ code: 31254 });
  });

  it('gives up after maxTimeMS', async () => {
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

describe('writes', () => {
  it('round-trip every type', async () => {
    const collection = server.fresh();
    const doc = {
      _id: new ObjectId(),
      double: new Double(1),
      int: new Int32(1),
      long: Long.fromString('9007199254740993'),
      decimal: Decimal128.fromString('1.10'),
      binary: new Binary(Buffer.from([0, 255]), 128),
      date: new Date(-1),
      regex: new BSONRegExp('a.*', 'i'),
      code: new Code('function () {}'),
      timestamp: new Timestamp({ t: 5, i: 6 }),
      none: null,
      nested: [[], [{}, [new Int32(1)]]],
      text: 'ü \0 \u{1F600}',
    };
    await collection.insertOne(doc);
    await collection.updateOne({}, { $set: { touched: true } });
    const stored = await collection.findOne({}, { promoteValues: false, bsonRegExp: true });
    expect(stored).toEqual({ ...doc, touched: true });
  });

  it('stop at the first error when ordered, and say where', async () => {
    const collection = server.fresh();
    const docs = [{ _id: 1 }, { _id: 2 }, { _id: 1 }, { _id: 3 }];
    await expect(collection.insertMany(docs)).rejects.toMatchObject({
      code: 11000,
      insertedCount: 2,
      writeErrors: [{ index: 2 }],
    });
    expect(await collection.countDocuments()).toBe(2);
  });

  it('go on after an error when unordered, and name each', async () => {
    const collection = server.fresh();
    const docs = [{ _id: 1 }, { _id: 1 }, { _id: 2 }, { _id: 1 }, { _id: 3 }];
    const failed = await collection.insertMany(docs, { ordered: false }).catch((error: unknown) => error);
    expect(failed).toMatchObject({
      insertedCount: 3,
      writeErrors: [
        { index: 1, code: 11000 },
        { index: 3, code: 11000 },
      ],
    });
  });

  it('mix in a bulk', async () => {
    const collection = await numbered(5);
    const result = await collection.bulkWrite([
      { insertOne: { document: { _id: 9 } } },
      { updateMany: { filter: { n: { $gte: 3 } }, update: { $set: { big: true } } } },
      { updateOne: { filter: { _id: 77 }, update: { $set: { made: 1 } }, upsert: true } },
      { deleteOne: { filter: { _id: 0 } } },
      { replaceOne: { filter: { _id: 1 }, replacement: { r: 1 } } },
    ]);
    expect(result).toMatchObject({
      insertedCount: 1,
      modifiedCount: 3,
      upsertedCount: 1,
      deletedCount: 1,
      upsertedIds: { 2: 77 },
    });
  });

  it('refuse an _id that is an array', async () => {
    await expect(server.fresh().insertOne({ _id: [1] })).rejects.toMatchObject({ code: 53 });
  });

  it('give a document without _id one, in the first place', async () => {
    const collection = server.fresh();
    await server.db.command({ insert: collection.collectionName, documents: [{ a: 1 }, { a: 2, _id: 5 }] });
    const docs = await collection.find().toArray();
    expect(docs.map((doc) => Object.keys(doc)[0])).toEqual(['_id', '_id']);
    expect(docs[0]?._id).toBeInstanceOf(ObjectId);
  });

  it('change and remove thousands in one statement', async () => {
    const collection = await numbered(2500);
    expect(await collection.updateMany({ n: { $lt: 2000 } }, { $inc: { half: 1 } })).toMatchObject({
      modifiedCount: 2000,
    });
    expect(await collection.deleteMany({ n: { $gte: 500 } })).toMatchObject({ deletedCount: 2000 });
    expect(await collection.estimatedDocumentCount()).toBe(500);
  });

  it('lose no increment of many at once', async () => {
    const collection = server.fresh();
    await collection.insertOne({ _id: 1, n: 0 });
    await Promise.all(
      Array.from({ length: 200 }, () => collection.updateOne({ _id: 1 }, { $inc: { n: 1 } })),
    );
    expect(await collection.findOne()).toEqual({ _id: 1, n: 200 });
  });
});

describe('findAndModify', () => {
  it('answers the document before or after the change', async () => {
    const collection = await numbered(3);
    expect(await collection.findOneAndUpdate({ n: 1 }, { $set: { x: 1 } })).toEqual({
      _id: 1,
      n: 1,
      half: 0,
    });
    const after = await collection.findOneAndUpdate(
      { n: 1 },
      { $inc: { x: 1 } },
      { returnDocument: 'after', projection: { x: 1 } },
    );
    expect(after).toEqual({ _id: 1, x: 2 });
  });

  it('takes the first in the order of the sort', async () => {
    const collection = await numbered(5);
    expect(await collection.findOneAndDelete({ n: { $lt: 4 } }, { sort: { n: -1 } })).toMatchObject({
      _id: 3,
    });
    expect(await collection.countDocuments()).toBe(4);
  });

  it('upserts, replaces, and answers null for nothing', async () => {
    const collection = server.fresh();
    const made = await collection.findOneAndUpdate(
      { k: 1 },
      { $set: { v: 1 } },
      { upsert: true, returnDocument: 'after' },
    );
    expect(made).toMatchObject({ k: 1, v: 1 });
    expect(await collection.findOneAndReplace({ k: 1 }, { r: 1 }, { returnDocument: 'after' })).toEqual({
      _id: made?._id,
      r: 1,
    });
    expect(await collection.findOneAndUpdate({ k: 9 }, { $set: { v: 1 } })).toBeNull();
  });

  it('lets one of many win a compare-and-set', async () => {
    const collection = server.fresh();
    await collection.insertOne({ _id: 1, version: 0 });
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, by) =>
        collection.findOneAndUpdate({ _id: 1, version: 0 }, { $set: { by }, $inc: { version: 1 } }),
      ),
    );
    expect(all.filter((one) => one !== null)).toHaveLength(1);
  });
});

describe('what is asked about a collection', () => {
  it.each([
    ['all', {}, {}, 10],
    ['a filter', { n: { $gte: 4 } }, {}, 6],
    ['skip and limit', { n: { $gte: 4 } }, { skip: 1, limit: 3 }, 3],
  ])('counts with %s', async (_what, filter, options, count) => {
    expect(await (await numbered(10)).countDocuments(filter, options)).toBe(count);
  });

  it('lists distinct values, opening arrays', async () => {
    const collection = server.fresh();
    await collection.insertMany([
      { _id: 1, a: 1 },
      { _id: 2, a: [2, 1] },
      { _id: 3 },
      { _id: 4, a: new Double(2) },
    ]);
    expect(await collection.distinct('a')).toEqual([1, 2]);
  });

  it('lists, makes and drops collections and databases', async () => {
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

  it('tells sizes', async () => {
    const collection = await numbered(10);
    expect(await server.db.command({ collStats: collection.collectionName })).toMatchObject({
      count: 10,
      nindexes: 1,
      ok: 1,
    });
    expect(await server.db.stats()).toMatchObject({ ok: 1 });
  });
});

describe('mongoose', () => {
  it('saves, finds, updates and removes with its own defaults', async () => {
    const connection = await mongoose
      .createConnection(server.uri, { dbName: server.db.databaseName })
      .asPromise();
    const schema = new mongoose.Schema(
      { name: { type: String, unique: true }, tags: [String] },
      { timestamps: true },
    );
    const Thing = connection.model('Thing', schema);
    await Thing.init();
    const thing = await Thing.create({ name: 'a', tags: ['x'] });
    thing.tags.push('y');
    await thing.save();
    expect((await Thing.findOne({ tags: 'y' }).lean())?.name).toBe('a');
    await expect(Thing.create({ name: 'a' })).rejects.toMatchObject({ code: 11000 });
    const session = await connection.startSession();
    expect(await Thing.find().session(session)).toHaveLength(1);
    await session.endSession();
    await expect(
      connection.transaction(async (inside) => void (await Thing.find().session(inside))),
    ).rejects.toMatchObject({ code: 20 });
    await Thing.deleteMany({});
    await connection.close();
  });
});
