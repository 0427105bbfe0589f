import type { FilterCase } from './filter-case.ts';

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

export const ARRAY_FILTERS: FilterCase[] = [
  { promise: 'a value matches an array that contains it', docs: ARRAYS, filter: { a: 2 }, found: [0, 1, 3] },
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
  { promise: 'a numeric step names an element', docs: ARRAYS, filter: { 'a.0': 2 }, found: [1, 4] },
  { promise: '$exists on an element', docs: ARRAYS, filter: { 'a.2': { $exists: true } }, found: [0] },
  { promise: 'a dotted path enters arrays', docs: PEOPLE, filter: { 'a.x': 1 }, found: [0, 1, 2] },
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
    promise: '$not with several operators tests each operator on the whole array',
    docs: [{ a: [0, 9] }, { a: [0] }, { a: [5] }],
    filter: { a: { $not: { $gt: 1, $lt: 4 } } },
    found: [1, 2],
  },
  {
    promise: '$not with several operators in $elemMatch tests them on one element',
    docs: [{ a: [0, 9] }, { a: [2, 3] }, { a: [[2]] }],
    filter: { a: { $elemMatch: { $not: { $gt: 1, $lt: 4 } } } },
    found: [0, 2],
  },
];
