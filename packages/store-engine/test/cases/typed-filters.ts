import { Binary, Decimal128, Double, Int32, Long, ObjectId } from 'mongodb';
import type { FilterCase } from './filter-case.ts';

const at = (time: string): Date => new Date(time);
const id = new ObjectId('64b000000000000000000001');

export const TYPED_FILTERS: FilterCase[] = [
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
    promise: '$in accepts regular expressions',
    docs: [{ a: 'Foo' }, { a: 'bar' }, { a: 'x' }],
    filter: { a: { $in: [/^F/, 'x'] } },
    found: [0, 2],
  },
  {
    promise: '$not accepts a regular expression',
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
    promise: 'booleans are not numbers',
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
    promise: 'a large long is distinguished from its neighbour',
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
  { promise: 'no range contains NaN', docs: [{ a: NaN }, { a: 1 }], filter: { a: { $lt: 5 } }, found: [1] },
  {
    promise: 'strings compare by code point',
    docs: [{ a: '\u{1F600}' }, { a: '\uFF5E' }],
    filter: { a: { $gt: '\uFF5E' } },
    found: [0],
  },
];
