import { Binary, Decimal128, Double, Int32, Long, ObjectId } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { useServer } from './support.ts';

const server = useServer();

const at = (time: string): Date => new Date(time);
const id = new ObjectId('64b000000000000000000001');

interface Case {
  promise: string;
  docs: object[];
  filter: object;
  /** The positions in `docs` of those that match. */
  found: number[];
}

const NUMBERS = [
  { a: 1 },
  { a: new Double(1.5) },
  { a: Long.fromNumber(2) },
  { a: Decimal128.fromString('2.0') },
  { a: 'x' },
  { a: null },
  {},
];
const ARRAYS = [{ a: [1, 2, 3] }, { a: [2] }, { a: [] }, { a: 2 }, { a: [[1, 2]] }, { b: 1 }];
const PEOPLE = [
  {
    a: [
      { x: 1, y: 2 },
      { x: 3, y: 4 },
    ],
  },
  { a: [{ x: 1, y: 4 }] },
  { a: { x: 1, y: 2 } },
  { a: [] },
  { a: [1, { x: 3 }] },
  { a: 5 },
];

const CASES: Case[] = [
  { promise: 'an empty filter matches all', docs: NUMBERS, filter: {}, found: [0, 1, 2, 3, 4, 5, 6] },
  {
    promise: 'equality compares numbers of all types by value',
    docs: NUMBERS,
    filter: { a: 2 },
    found: [2, 3],
  },
  {
    promise: 'a double equals an int of the same value',
    docs: NUMBERS,
    filter: { a: new Double(1) },
    found: [0],
  },
  { promise: 'null matches what is null or missing', docs: NUMBERS, filter: { a: null }, found: [5, 6] },
  {
    promise: '$eq null matches what is null or missing',
    docs: NUMBERS,
    filter: { a: { $eq: null } },
    found: [5, 6],
  },
  {
    promise: '$ne null matches what is there',
    docs: NUMBERS,
    filter: { a: { $ne: null } },
    found: [0, 1, 2, 3, 4],
  },
  { promise: '$gt compares within numbers only', docs: NUMBERS, filter: { a: { $gt: 1 } }, found: [1, 2, 3] },
  { promise: '$gte includes the bound', docs: NUMBERS, filter: { a: { $gte: 1.5 } }, found: [1, 2, 3] },
  { promise: '$lt leaves strings out', docs: NUMBERS, filter: { a: { $lt: 100 } }, found: [0, 1, 2, 3] },
  { promise: '$lte includes the bound', docs: NUMBERS, filter: { a: { $lte: 1 } }, found: [0] },
  {
    promise: '$gt with a string finds greater strings only',
    docs: NUMBERS,
    filter: { a: { $gt: 'a' } },
    found: [4],
  },
  {
    promise: '$gte null finds null and missing',
    docs: NUMBERS,
    filter: { a: { $gte: null } },
    found: [5, 6],
  },
  { promise: '$in takes several values', docs: NUMBERS, filter: { a: { $in: [1, 'x'] } }, found: [0, 4] },
  {
    promise: '$in with null includes the missing',
    docs: NUMBERS,
    filter: { a: { $in: [null, 1] } },
    found: [0, 5, 6],
  },
  { promise: '$in with nothing finds nothing', docs: NUMBERS, filter: { a: { $in: [] } }, found: [] },
  {
    promise: '$nin finds what is not in the list, and the missing',
    docs: NUMBERS,
    filter: { a: { $nin: [1, 'x', 2] } },
    found: [1, 5, 6],
  },
  {
    promise: '$exists true includes null',
    docs: NUMBERS,
    filter: { a: { $exists: true } },
    found: [0, 1, 2, 3, 4, 5],
  },
  {
    promise: '$exists false finds the missing',
    docs: NUMBERS,
    filter: { a: { $exists: false } },
    found: [6],
  },
  { promise: '$type by name', docs: NUMBERS, filter: { a: { $type: 'long' } }, found: [2] },
  { promise: '$type by number', docs: NUMBERS, filter: { a: { $type: 2 } }, found: [4] },
  {
    promise: '$type number stands for four types',
    docs: NUMBERS,
    filter: { a: { $type: 'number' } },
    found: [0, 1, 2, 3],
  },
  {
    promise: '$type takes a list',
    docs: NUMBERS,
    filter: { a: { $type: ['string', 'null'] } },
    found: [4, 5],
  },
  {
    promise: '$not inverts, and includes the missing',
    docs: NUMBERS,
    filter: { a: { $not: { $gt: 1 } } },
    found: [0, 4, 5, 6],
  },
  {
    promise: '$mod takes divisor and remainder',
    docs: NUMBERS,
    filter: { a: { $mod: [2, 0] } },
    found: [2, 3],
  },
  { promise: '$or needs one', docs: NUMBERS, filter: { $or: [{ a: 1 }, { a: 'x' }] }, found: [0, 4] },
  {
    promise: '$and needs all',
    docs: NUMBERS,
    filter: { $and: [{ a: { $gt: 1 } }, { a: { $lt: 2 } }] },
    found: [1],
  },
  {
    promise: '$nor needs none',
    docs: NUMBERS,
    filter: { $nor: [{ a: 1 }, { a: 'x' }, { a: null }] },
    found: [1, 2, 3],
  },
  {
    promise: '$expr compares fields',
    docs: [
      { a: 1, b: 2 },
      { a: 2, b: 1 },
    ],
    filter: { $expr: { $gt: ['$a', '$b'] } },
    found: [1],
  },
  { promise: '$comment changes nothing', docs: NUMBERS, filter: { a: 1, $comment: 'why' }, found: [0] },
  { promise: 'a value matches an array that holds it', docs: ARRAYS, filter: { a: 2 }, found: [0, 1, 3] },
  { promise: 'an array matches itself, and as an element', docs: ARRAYS, filter: { a: [1, 2] }, found: [4] },
  { promise: 'an empty array matches itself', docs: ARRAYS, filter: { a: [] }, found: [2] },
  {
    promise: 'two conditions may be met by two elements',
    docs: ARRAYS,
    filter: { a: { $gt: 2, $lt: 2 } },
    found: [0],
  },
  {
    promise: '$elemMatch needs one element for all',
    docs: ARRAYS,
    filter: { a: { $elemMatch: { $gt: 1, $lt: 3 } } },
    found: [0, 1],
  },
  {
    promise: '$ne on an array needs no element to be equal',
    docs: ARRAYS,
    filter: { a: { $ne: 2 } },
    found: [2, 4, 5],
  },
  { promise: '$size counts', docs: ARRAYS, filter: { a: { $size: 1 } }, found: [1, 4] },
  { promise: '$all needs all values', docs: ARRAYS, filter: { a: { $all: [1, 2] } }, found: [0] },
  {
    promise: '$all with one value matches a plain value',
    docs: ARRAYS,
    filter: { a: { $all: [2] } },
    found: [0, 1, 3],
  },
  { promise: '$all with nothing finds nothing', docs: ARRAYS, filter: { a: { $all: [] } }, found: [] },
  { promise: 'a numeric step names an element', docs: ARRAYS, filter: { 'a.0': 2 }, found: [1, 4] },
  {
    promise: '$type array matches the array itself',
    docs: ARRAYS,
    filter: { a: { $type: 'array' } },
    found: [0, 1, 2, 4],
  },
  { promise: '$exists on an element', docs: ARRAYS, filter: { 'a.2': { $exists: true } }, found: [0] },
  { promise: 'a dotted path goes through arrays', docs: PEOPLE, filter: { 'a.x': 1 }, found: [0, 1, 2] },
  {
    promise: 'dotted conditions may be met by two elements',
    docs: PEOPLE,
    filter: { 'a.x': 1, 'a.y': 4 },
    found: [0, 1],
  },
  {
    promise: '$elemMatch needs one embedded document for all',
    docs: PEOPLE,
    filter: { a: { $elemMatch: { x: 1, y: 4 } } },
    found: [1],
  },
  {
    promise: 'a missing field below an array of scalars and documents',
    docs: PEOPLE,
    filter: { 'a.y': null },
    found: [4, 5],
  },
  {
    promise: '$exists false below an empty array',
    docs: PEOPLE,
    filter: { 'a.x': { $exists: false } },
    found: [3, 5],
  },
  {
    promise: 'an embedded document is equal with its order of keys only',
    docs: [{ a: { x: 1, y: 2 } }, { a: { y: 2, x: 1 } }, { a: { x: 1 } }],
    filter: { a: { x: 1, y: 2 } },
    found: [0],
  },
  {
    promise: 'embedded numbers compare by value',
    docs: [{ a: { x: new Double(1) } }],
    filter: { a: { x: new Int32(1) } },
    found: [0],
  },
  {
    promise: '$regex finds part of a string',
    docs: [{ a: 'foo' }, { a: 'bar' }, { a: ['x', 'oof'] }],
    filter: { a: { $regex: 'oo' } },
    found: [0, 2],
  },
  {
    promise: 'a regular expression with i ignores case',
    docs: [{ a: 'Foo' }, { a: 'bar' }],
    filter: { a: /^foo$/i },
    found: [0],
  },
  {
    promise: '$options go with $regex',
    docs: [{ a: 'Foo' }, { a: 'bar' }],
    filter: { a: { $regex: '^foo', $options: 'i' } },
    found: [0],
  },
  {
    promise: '$in takes regular expressions',
    docs: [{ a: 'Foo' }, { a: 'bar' }, { a: 'x' }],
    filter: { a: { $in: [/^F/, 'x'] } },
    found: [0, 2],
  },
  {
    promise: '$not takes a regular expression',
    docs: [{ a: 'Foo' }, { a: 'bar' }, {}],
    filter: { a: { $not: /^F/ } },
    found: [1, 2],
  },
  {
    promise: 'dates compare',
    docs: [{ a: at('2024-01-01') }, { a: at('2025-01-01') }, { a: 5 }],
    filter: { a: { $gt: at('2024-06-01') } },
    found: [1],
  },
  {
    promise: 'dates before 1970 compare',
    docs: [{ a: at('1960-01-01') }, { a: at('1975-01-01') }],
    filter: { a: { $lt: at('1970-01-01') } },
    found: [0],
  },
  {
    promise: 'object ids are equal by value',
    docs: [{ a: id }, { a: new ObjectId() }],
    filter: { a: new ObjectId(id.toHexString()) },
    found: [0],
  },
  {
    promise: 'binaries are equal by bytes',
    docs: [{ a: new Binary(Buffer.from('ab')) }, { a: new Binary(Buffer.from('ac')) }],
    filter: { a: new Binary(Buffer.from('ab')) },
    found: [0],
  },
  {
    promise: 'booleans are no numbers',
    docs: [{ a: true }, { a: 1 }, { a: false }],
    filter: { a: true },
    found: [0],
  },
  {
    promise: 'booleans are ordered',
    docs: [{ a: true }, { a: false }],
    filter: { a: { $gt: false } },
    found: [0],
  },
  {
    promise: 'a large long is told from its neighbour',
    docs: [{ a: Long.fromString('9007199254740993') }, { a: Long.fromString('9007199254740992') }],
    filter: { a: Long.fromString('9007199254740993') },
    found: [0],
  },
  {
    promise: 'a decimal is compared exactly with a double',
    docs: [{ a: Decimal128.fromString('0.1') }, { a: 0.1 }],
    filter: { a: 0.1 },
    found: [1],
  },
  { promise: 'NaN equals NaN', docs: [{ a: NaN }, { a: 1 }], filter: { a: NaN }, found: [0] },
  { promise: 'no range holds NaN', docs: [{ a: NaN }, { a: 1 }], filter: { a: { $lt: 5 } }, found: [1] },
  {
    promise: '$bitsAllSet needs all bits',
    docs: [{ a: 7 }, { a: 5 }, { a: 'x' }],
    filter: { a: { $bitsAllSet: 3 } },
    found: [0],
  },
  {
    promise: '$bitsAnyClear needs one clear',
    docs: [{ a: 7 }, { a: 5 }],
    filter: { a: { $bitsAnyClear: [0, 1] } },
    found: [1],
  },
  {
    promise: 'strings compare by code point',
    docs: [{ a: '\u{1F600}' }, { a: '\uFF5E' }],
    filter: { a: { $gt: '\uFF5E' } },
    found: [0],
  },
];

describe('a filter', () => {
  it.each(CASES)('$promise', async ({ docs, filter, found }) => {
    const collection = server.fresh();
    await collection.insertMany(docs.map((doc, position) => ({ ...doc, _id: position })));
    const ids = await collection
      .find(filter)
      .sort({ _id: 1 })
      .map((doc) => doc._id)
      .toArray();
    expect(ids).toEqual(found);
  });

  it.each(CASES)('$promise, also with an index on the field', async ({ docs, filter, found }) => {
    const collection = server.fresh();
    await collection.createIndexes([{ key: { a: 1 } }, { key: { 'a.x': -1 } }]);
    await collection.insertMany(docs.map((doc, position) => ({ ...doc, _id: position })));
    const ids = await collection
      .find(filter)
      .sort({ _id: 1 })
      .map((doc) => doc._id)
      .toArray();
    expect(ids).toEqual(found);
  });

  it.each([
    ['an unknown operator', { a: { $foo: 1 } }],
    ['an unknown top-level operator', { $foo: 1 }],
    ['$in without a list', { a: { $in: 1 } }],
    ['an empty $or', { $or: [] }],
    ['$mod by zero', { a: { $mod: [0, 1] } }],
    ['a negative $size', { a: { $size: -1 } }],
    ['$options without $regex', { a: { $options: 'i' } }],
    ['$elemMatch without a document', { a: { $elemMatch: 1 } }],
  ])('refuses %s with BadValue', async (_what, filter) => {
    await expect(server.fresh().find(filter).toArray()).rejects.toMatchObject({ code: 2 });
  });
});
