import { Decimal128, Double, Int32, Long } from 'mongodb';
import { describe, expect, test } from 'vitest';
import { REFUSED_UPDATES } from './cases/refused-updates.ts';
import { useServer } from './support.ts';

const server = useServer();

type UpdateCase = [promise: string, before: object, update: object, after: object, options?: object];

const CASES: UpdateCase[] = [
  ['$set adds a field at the end', { a: 1 }, { $set: { b: 2 } }, { a: 1, b: 2 }],
  ['$set creates missing documents on the path', {}, { $set: { 'a.b.c': 1 } }, { a: { b: { c: 1 } } }],
  ['$set changes an element by its position', { a: [1, 2] }, { $set: { 'a.1': 5 } }, { a: [1, 5] }],
  [
    '$set behind the end of an array fills with null',
    { a: [1] },
    { $set: { 'a.3': 5 } },
    { a: [1, null, null, 5] },
  ],
  ['$set of several fields adds them in order of their names', {}, { $set: { c: 1, b: 2 } }, { b: 2, c: 1 }],
  ['$unset removes a field', { a: 1, b: 2 }, { $unset: { a: '' } }, { b: 2 }],
  ['$unset of an element leaves null', { a: [1, 2] }, { $unset: { 'a.0': '' } }, { a: [null, 2] }],
  ['$unset of a missing field changes nothing', { a: 1 }, { $unset: { 'x.y': '' } }, { a: 1 }],
  ['$inc adds a number', { a: 1 }, { $inc: { a: 2 } }, { a: 3 }],
  ['$inc of a missing field sets it', {}, { $inc: { a: -2 } }, { a: -2 }],
  ['$max keeps the greater value', { a: 3, b: 1 }, { $max: { a: 2, b: 2 } }, { a: 3, b: 2 }],
  ['$max of a missing field sets it', {}, { $max: { a: 2 } }, { a: 2 }],
  ['$unset by a path through a value changes nothing', { a: 1 }, { $unset: { 'a.b': '' } }, { a: 1 }],
  ['$pull of a missing field changes nothing', { a: {} }, { $pull: { 'a.b.c': 1 } }, { a: {} }],
  [
    '$setOnInsert does nothing on an update',
    { a: 1 },
    { $setOnInsert: { b: 1 }, $set: { c: 1 } },
    { a: 1, c: 1 },
  ],
  ['$push appends an element', { a: [1] }, { $push: { a: 2 } }, { a: [1, 2] }],
  ['$push of an array appends it as one element', { a: [1] }, { $push: { a: [2, 3] } }, { a: [1, [2, 3]] }],
  ['$push creates a missing array', {}, { $push: { 'a.b': 2 } }, { a: { b: [2] } }],
  ['$push $each appends all elements', { a: [1] }, { $push: { a: { $each: [2, 3] } } }, { a: [1, 2, 3] }],
  ['$push $slice keeps the last', { a: [1, 2] }, { $push: { a: { $each: [3], $slice: -2 } } }, { a: [2, 3] }],
  ['$push $slice keeps the first', { a: [1, 2] }, { $push: { a: { $each: [3], $slice: 2 } } }, { a: [1, 2] }],
  ['$push $slice 0 empties the array', { a: [1, 2] }, { $push: { a: { $each: [3], $slice: 0 } } }, { a: [] }],
  ['$pull removes a value', { a: [1, 2, 1] }, { $pull: { a: 1 } }, { a: [2] }],
  ['$pull removes by condition', { a: [1, 5, 9] }, { $pull: { a: { $gte: 5 } } }, { a: [1] }],
  [
    '$pull removes documents by filter',
    { a: [{ x: 1, y: 2 }, { x: 2 }] },
    { $pull: { a: { x: 1 } } },
    { a: [{ x: 2 }] },
  ],
  [
    '$pull with $in removes the listed values',
    { a: ['a', 'b', 'c'] },
    { $pull: { a: { $in: ['a', 'c'] } } },
    { a: ['b'] },
  ],
  ['$[] changes every element', { a: [1, 2] }, { $inc: { 'a.$[]': 10 } }, { a: [11, 12] }],
  [
    '$[id] changes the matching elements',
    { a: [{ x: 1 }, { x: 5 }] },
    { $set: { 'a.$[e].ok': true } },
    { a: [{ x: 1 }, { x: 5, ok: true }] },
    { arrayFilters: [{ 'e.x': { $gt: 2 } }] },
  ],
  [
    '$[name] changes the elements that matched before the update',
    { a: [{ on: true }, { on: false }] },
    { $set: { 'a.$[e].on': false, 'a.$[e].was': true } },
    { a: [{ on: false, was: true }, { on: false }] },
    { arrayFilters: [{ 'e.on': true }] },
  ],
  [
    '$[id] changes the matching values',
    { a: [1, 7] },
    { $set: { 'a.$[v]': 0 } },
    { a: [1, 0] },
    { arrayFilters: [{ v: { $gte: 5 } }] },
  ],
  [
    '$[] changes nested arrays',
    { a: [{ b: [1, 2] }, { b: [3] }] },
    { $inc: { 'a.$[].b.$[]': 1 } },
    { a: [{ b: [2, 3] }, { b: [4] }] },
  ],
];

describe('an update', () => {
  test.each(CASES)('an update works as in MongoDB: %s', async (_promise, before, update, after, options) => {
    const collection = server.fresh();
    await collection.insertOne({ _id: 1, ...before });
    const result = await collection.updateOne({ _id: 1 }, update, options);
    expect(result.matchedCount).toBe(1);
    const stored = await collection.findOne({ _id: 1 });
    expect(JSON.stringify(stored)).toBe(JSON.stringify({ _id: 1, ...after }));
  });

  test.each([
    ['int plus int', new Int32(1), new Int32(2), 'Int32', '3'],
    ['int beyond 32 bits becomes long', new Int32(2_147_483_647), new Int32(1), 'Long', '2147483648'],
    ['long stays long', Long.fromNumber(1), new Int32(1), 'Long', '2'],
    ['double wins over int', new Int32(1), new Double(0.5), 'Double', '1.5'],
    ['a whole double stays double', new Double(1), new Int32(1), 'Double', '2'],
    ['decimal wins over all', new Double(1), Decimal128.fromString('0.10'), 'Decimal128', '1.10'],
    ['large longs are exact', Long.fromString('9007199254740993'), new Int32(1), 'Long', '9007199254740994'],
  ])('$inc has the number types of MongoDB: %s', async (_promise, start, step, type, text) => {
    const collection = server.fresh();
    await collection.insertOne({ _id: 1, a: start });
    await collection.updateOne({ _id: 1 }, { $inc: { a: step } });
    const [stored] = await collection.find({}, { promoteValues: false }).toArray();
    expect([(stored!.a as { _bsontype: string })._bsontype, String(stored!.a)]).toEqual([type, text]);
  });

  test.each(REFUSED_UPDATES)(
    'an update with %s is refused and changes nothing',
    async (_what, update, code) => {
      const collection = server.fresh();
      const before = { _id: 1, a: 1, s: 'text', l: [1, 2] };
      await collection.insertOne(before);
      await expect(collection.updateOne({ _id: 1 }, update)).rejects.toMatchObject({ code });
      expect(await collection.findOne({ _id: 1 })).toEqual(before);
    },
  );

  test('an update that changes nothing reports no modification', async () => {
    const collection = server.fresh();
    await collection.insertOne({ _id: 1, a: 1 });
    expect(await collection.updateOne({ _id: 1 }, { $set: { a: 1 } })).toMatchObject({
      matchedCount: 1,
      modifiedCount: 0,
    });
  });

  test('a replaced document keeps its _id', async () => {
    const collection = server.fresh();
    await collection.insertOne({ _id: 1, a: 1, b: 2 });
    await collection.replaceOne({ a: 1 }, { c: 3 });
    expect(await collection.find().toArray()).toEqual([{ _id: 1, c: 3 }]);
  });

  test('an update adds numeric fields in the order of their numbers, as MongoDB 5 does', async () => {
    const collection = server.fresh();
    await collection.insertOne({ _id: 1, m: { x: null } });
    await collection.updateOne(
      { _id: 1 },
      { $set: { 'm.10': null, 'm.2': null, 'm.b': null, 'm.1.z': null } },
    );
    const [raw] = await collection.find({}, { raw: true }).toArray();
    const text = Buffer.from(raw as unknown as Uint8Array).toString('latin1');
    expect(text.match(/\b(?:10|2|1|b)(?=\0)/g)).toEqual(['1', '2', '10', 'b']);
  });

  test('an update keeps the order of keys that look like numbers', async () => {
    const collection = server.fresh();
    await collection.insertOne({ _id: 1, m: new Map(['bb', '22', '11'].map((name) => [name, 1])) });
    await collection.updateOne({ _id: 1 }, { $set: { 'm.zz': 1 } });
    const [raw] = await collection.find({}, { raw: true }).toArray();
    const text = Buffer.from(raw as unknown as Uint8Array).toString('latin1');
    expect(text.match(/bb|22|11|zz/g)).toEqual(['bb', '22', '11', 'zz']);
  });
});

describe('an upsert', () => {
  test.each([
    ['from equality', { a: 1, b: { $gt: 5 } }, { $set: { c: 2 } }, { a: 1, c: 2 }],
    ['from $eq', { a: { $eq: 1 } }, { $set: { c: 2 } }, { a: 1, c: 2 }],
    ['from $and', { $and: [{ a: 1 }, { b: 2 }] }, { $set: { c: 3 } }, { a: 1, b: 2, c: 3 }],
    ['from a dotted path', { 'a.b': 1 }, { $set: { 'a.c': 2 } }, { a: { b: 1, c: 2 } }],
    ['with $setOnInsert', { a: 1 }, { $setOnInsert: { n: 1 }, $inc: { v: 1 } }, { a: 1, n: 1, v: 1 }],
    ['with $push', { a: 1 }, { $push: { l: 5 } }, { a: 1, l: [5] }],
  ] as [string, object, object, object][])(
    'an upsert inserts a document that is built %s',
    async (_promise, filter, update, made) => {
      const collection = server.fresh();
      const result = await collection.updateOne(filter, update, { upsert: true });
      expect(result).toMatchObject({ matchedCount: 0, modifiedCount: 0, upsertedCount: 1 });
      expect(await collection.findOne()).toEqual({ _id: result.upsertedId, ...made });
    },
  );

  test('an upsert uses the _id of the filter for a replacement', async () => {
    const collection = server.fresh();
    await collection.replaceOne({ _id: 5, a: 1 }, { b: 1 }, { upsert: true });
    expect(await collection.find().toArray()).toEqual([{ _id: 5, b: 1 }]);
  });

  test('an upsert changes an existing document instead of inserting another document', async () => {
    const collection = server.fresh();
    await collection.insertOne({ _id: 1, a: 1 });
    const { upsertedCount, modifiedCount } = await collection.updateOne(
      { a: 1 },
      { $set: { b: 1 } },
      { upsert: true },
    );
    expect([upsertedCount, modifiedCount]).toEqual([0, 1]);
  });
});
