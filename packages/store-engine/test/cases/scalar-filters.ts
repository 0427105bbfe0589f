import { Decimal128, Double, Long } from 'mongodb';
import type { FilterCase } from './filter-case.ts';

const NUMBERS = [
  { a: 1 },
  { a: new Double(1.5) },
  { a: Long.fromNumber(2) },
  { a: Decimal128.fromString('2.0') },
  { a: 'x' },
  { a: null },
  {},
];

export const SCALAR_FILTERS: FilterCase[] = [
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
  { promise: 'null matches null and missing values', docs: NUMBERS, filter: { a: null }, found: [5, 6] },
  {
    promise: '$eq null matches null and missing values',
    docs: NUMBERS,
    filter: { a: { $eq: null } },
    found: [5, 6],
  },
  {
    promise: '$ne null matches existing values',
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
  { promise: '$in accepts several values', docs: NUMBERS, filter: { a: { $in: [1, 'x'] } }, found: [0, 4] },
  {
    promise: '$in with null includes missing values',
    docs: NUMBERS,
    filter: { a: { $in: [null, 1] } },
    found: [0, 5, 6],
  },
  { promise: '$in with nothing finds nothing', docs: NUMBERS, filter: { a: { $in: [] } }, found: [] },
  {
    promise: '$nin finds values outside the list and missing values',
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
    promise: '$exists false finds missing values',
    docs: NUMBERS,
    filter: { a: { $exists: false } },
    found: [6],
  },
  {
    promise: '$not inverts and includes missing values',
    docs: NUMBERS,
    filter: { a: { $not: { $gt: 1 } } },
    found: [0, 4, 5, 6],
  },
  { promise: '$or needs one', docs: NUMBERS, filter: { $or: [{ a: 1 }, { a: 'x' }] }, found: [0, 4] },
  {
    promise: '$and needs all',
    docs: NUMBERS,
    filter: { $and: [{ a: { $gt: 1 } }, { a: { $lt: 2 } }] },
    found: [1],
  },
  {
    promise: '$not with several operators matches what one of them does not',
    docs: NUMBERS,
    filter: { a: { $not: { $gt: 1, $lt: 2 } } },
    found: [0, 2, 3, 4, 5, 6],
  },
  {
    promise: '$not of $not with several operators matches what both do',
    docs: NUMBERS,
    filter: { a: { $not: { $not: { $gt: 1, $lt: 2 } } } },
    found: [1],
  },
];
