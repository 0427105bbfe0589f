import { BSONRegExp, Binary, Code, Decimal128, Double, Int32, Long, ObjectId, Timestamp } from 'mongodb';
import { describe, expect, test } from 'vitest';
import { numbered, useServer } from './support.ts';

const server = useServer();

describe('writes', () => {
  test('a write followed by a read returns every type unchanged', async () => {
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

  test("ordered writes stop at the first error and report the error's position", async () => {
    const collection = server.fresh();
    const docs = [{ _id: 1 }, { _id: 2 }, { _id: 1 }, { _id: 3 }];
    await expect(collection.insertMany(docs)).rejects.toMatchObject({
      code: 11000,
      insertedCount: 2,
      writeErrors: [{ index: 2 }],
    });
    expect(await collection.countDocuments()).toBe(2);
  });

  test('unordered writes continue after an error and report every error', async () => {
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

  test('writes of several kinds run in one bulk', async () => {
    const collection = await numbered(server, 5);
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

  test('an insert refuses an _id that is an array', async () => {
    await expect(server.fresh().insertOne({ _id: [1] as unknown as number })).rejects.toMatchObject({
      code: 53,
    });
  });

  test('an insert adds a missing _id as the first field', async () => {
    const collection = server.fresh();
    await server.db.command({ insert: collection.collectionName, documents: [{ a: 1 }, { a: 2, _id: 5 }] });
    const docs = await collection.find().toArray();
    expect(docs.map((doc) => Object.keys(doc)[0])).toEqual(['_id', '_id']);
    expect(docs[0]?._id).toBeInstanceOf(ObjectId);
  });

  test('writes change and remove thousands of documents in one statement', async () => {
    const collection = await numbered(server, 2500);
    expect(await collection.updateMany({ n: { $lt: 2000 } }, { $inc: { half: 1 } })).toMatchObject({
      modifiedCount: 2000,
    });
    expect(await collection.deleteMany({ n: { $gte: 500 } })).toMatchObject({ deletedCount: 2000 });
    expect(await collection.estimatedDocumentCount()).toBe(500);
  });

  test('concurrent increments of one document are all applied', async () => {
    const collection = server.fresh();
    await collection.insertOne({ _id: 1, n: 0 });
    await Promise.all(
      Array.from({ length: 200 }, () => collection.updateOne({ _id: 1 }, { $inc: { n: 1 } })),
    );
    expect(await collection.findOne()).toEqual({ _id: 1, n: 200 });
  });
});

describe('findAndModify', () => {
  test('findAndModify returns the document before the change, or after the change if requested', async () => {
    const collection = await numbered(server, 3);
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

  test('findAndModify uses the first document in the order of the sort', async () => {
    const collection = await numbered(server, 5);
    expect(await collection.findOneAndDelete({ n: { $lt: 4 } }, { sort: { n: -1 } })).toMatchObject({
      _id: 3,
    });
    expect(await collection.countDocuments()).toBe(4);
  });

  test('findAndModify upserts and replaces documents, and returns null when nothing matches', async () => {
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

  test('findAndModify lets exactly one of many concurrent compare-and-set commands succeed', async () => {
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
