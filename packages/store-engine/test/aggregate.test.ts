import { describe, expect, test } from 'vitest';
import { isEngine, useServer } from './support.ts';

const server = useServer();

const SALES = [
  { _id: 1, shop: 'a', n: 2, tags: ['x', 'y'], at: new Date(1000) },
  { _id: 2, shop: 'b', n: 5, tags: [], at: new Date(2000) },
  { _id: 3, shop: 'a', n: 4, tags: ['x'], at: new Date(3000) },
  { _id: 4, shop: 'c', n: 1, at: new Date(4000) },
];

type Case = [promise: string, pipeline: object[], result: object[]];

const CASES: Case[] = [
  [
    '$match and $sort',
    [{ $match: { n: { $gt: 1 } } }, { $sort: { n: -1 } }, { $project: { n: 1 } }],
    [
      { _id: 2, n: 5 },
      { _id: 3, n: 4 },
      { _id: 1, n: 2 },
    ],
  ],
  [
    '$skip and $limit',
    [{ $sort: { _id: 1 } }, { $skip: 1 }, { $limit: 2 }, { $project: { _id: 1 } }],
    [{ _id: 2 }, { _id: 3 }],
  ],
  [
    '$group with $sum',
    [{ $group: { _id: '$shop', total: { $sum: '$n' } } }, { $sort: { _id: 1 } }],
    [
      { _id: 'a', total: 6 },
      { _id: 'b', total: 5 },
      { _id: 'c', total: 1 },
    ],
  ],
  [
    '$group of all',
    [{ $group: { _id: null, n: { $sum: 1 }, avg: { $avg: '$n' } } }],
    [{ _id: null, n: 4, avg: 3 }],
  ],
  [
    '$min and $max',
    [{ $group: { _id: null, lo: { $min: '$n' }, hi: { $max: '$n' } } }],
    [{ _id: null, lo: 1, hi: 5 }],
  ],
  [
    '$first and $last',
    [
      { $sort: { _id: 1 } },
      { $group: { _id: '$shop', f: { $first: '$n' }, l: { $last: '$n' } } },
      { $match: { _id: 'a' } },
    ],
    [{ _id: 'a', f: 2, l: 4 }],
  ],
  [
    '$push',
    [{ $sort: { _id: 1 } }, { $group: { _id: '$shop', all: { $push: '$_id' } } }, { $match: { _id: 'a' } }],
    [{ _id: 'a', all: [1, 3] }],
  ],
  [
    '$group of what is matched, sorted and projected first',
    [
      { $match: { n: { $lt: 5 } } },
      { $sort: { n: 1, _id: 1 } },
      { $project: { shop: 1, half: { $divide: ['$n', 2] } } },
      { $group: { _id: '$shop', halves: { $push: '$half' }, gone: { $push: '$n' } } },
      { $sort: { _id: 1 } },
    ],
    [
      { _id: 'a', halves: [1, 2], gone: [] },
      { _id: 'c', halves: [0.5], gone: [] },
    ],
  ],
  [
    '$group that counts what is projected first',
    [{ $match: { shop: 'a' } }, { $project: { n: 1 } }, { $group: { _id: 1, n: { $sum: 1 } } }],
    [{ _id: 1, n: 2 }],
  ],
  [
    '$addToSet',
    [
      { $group: { _id: null, shops: { $addToSet: '$shop' } } },
      { $project: { _id: 0, n: { $size: '$shops' } } },
    ],
    [{ n: 3 }],
  ],
  [
    'a compound _id',
    [{ $group: { _id: { s: '$shop' }, n: { $sum: 1 } } }, { $sort: { '_id.s': 1 } }, { $limit: 1 }],
    [{ _id: { s: 'a' }, n: 2 }],
  ],
  [
    '$unwind',
    [{ $unwind: '$tags' }, { $project: { tags: 1 } }, { $sort: { _id: 1, tags: 1 } }],
    [
      { _id: 1, tags: 'x' },
      { _id: 1, tags: 'y' },
      { _id: 3, tags: 'x' },
    ],
  ],
  [
    '$unwind that keeps the empty',
    [{ $unwind: { path: '$tags', preserveNullAndEmptyArrays: true } }, { $count: 'n' }],
    [{ n: 5 }],
  ],
  [
    '$unwind with an index',
    [
      { $match: { _id: 1 } },
      { $unwind: { path: '$tags', includeArrayIndex: 'i' } },
      { $project: { i: 1, _id: 0 } },
    ],
    [{ i: 0 }, { i: 1 }],
  ],
  ['$count', [{ $match: { shop: 'a' } }, { $count: 'n' }], [{ n: 2 }]],
  [
    '$addFields',
    [
      { $match: { _id: 1 } },
      { $addFields: { double: { $multiply: ['$n', 2] } } },
      { $project: { double: 1 } },
    ],
    [{ _id: 1, double: 4 }],
  ],
  [
    '$project with an expression',
    [{ $match: { _id: 1 } }, { $project: { _id: 0, s: { $concat: ['$shop', '!'] } } }],
    [{ s: 'a!' }],
  ],
  [
    '$cond',
    [
      { $sort: { _id: 1 } },
      { $limit: 2 },
      { $project: { _id: 0, big: { $cond: [{ $gt: ['$n', 3] }, 'yes', 'no'] } } },
    ],
    [{ big: 'no' }, { big: 'yes' }],
  ],
  [
    '$ifNull',
    [{ $match: { _id: 4 } }, { $project: { _id: 0, t: { $ifNull: ['$tags', 'none'] } } }],
    [{ t: 'none' }],
  ],
  [
    '$filter and $map',
    [
      { $match: { _id: 1 } },
      {
        $project: {
          _id: 0,
          t: {
            $map: {
              input: { $filter: { input: '$tags', as: 't', cond: { $eq: ['$$t', 'x'] } } },
              as: 'u',
              in: { $toUpper: '$$u' },
            },
          },
        },
      },
    ],
    [{ t: ['X'] }],
  ],
  [
    '$subtract of dates',
    [{ $match: { _id: 2 } }, { $project: { _id: 0, ms: { $subtract: ['$at', new Date(500)] } } }],
    [{ ms: 1500 }],
  ],
  ['$sortByCount', [{ $sortByCount: '$shop' }, { $limit: 1 }], [{ _id: 'a', count: 2 }]],
  ['$replaceRoot', [{ $match: { _id: 1 } }, { $replaceRoot: { newRoot: { x: '$n' } } }], [{ x: 2 }]],
  ['$unset', [{ $match: { _id: 4 } }, { $unset: ['shop', 'at'] }], [{ _id: 4, n: 1 }]],
  [
    '$facet',
    [
      {
        $facet: {
          n: [{ $count: 'n' }],
          top: [{ $sort: { n: -1 } }, { $limit: 1 }, { $project: { _id: 1 } }],
        },
      },
    ],
    [{ n: [{ n: 4 }], top: [{ _id: 2 }] }],
  ],
];

describe('an aggregation', () => {
  test.each(CASES)('does %s', async (_promise, pipeline, result) => {
    const collection = server.fresh();
    await collection.insertMany(SALES);
    expect(await collection.aggregate(pipeline).toArray()).toEqual(result);
  });

  test('refuses an unknown stage', async () => {
    await expect(
      server
        .fresh()
        .aggregate([{ $nope: {} }])
        .toArray(),
    ).rejects.toMatchObject({ code: 40324 });
  });

  test.runIf(isEngine).each([
    ['$lookup', [{ $lookup: { from: 'x', localField: 'a', foreignField: 'b', as: 'c' } }]],
    ['$out', [{ $out: 'x' }]],
    ['an operator it lacks', [{ $project: { a: { $zip: { inputs: [[1], [2]] } } } }]],
  ])('refuses %s with 238 instead of ignoring it', async (_what, pipeline) => {
    const collection = server.fresh();
    await collection.insertOne({ _id: 1 });
    await expect(collection.aggregate(pipeline).toArray()).rejects.toMatchObject({
      code: 238,
      codeName: 'NotImplemented',
    });
  });

  test.runIf(isEngine).each([
    ['$where', { find: 'c', filter: { $where: 'true' } }, 238],
    ['$text', { find: 'c', filter: { $text: { $search: 'x' } } }, 238],
    ['a collation', { find: 'c', collation: { locale: 'de' } }, 238],
    ['a capped collection', { create: 'capped', capped: true, size: 1000 }, 238],
    ['a text index', { createIndexes: 'c', indexes: [{ key: { a: 'text' }, name: 't' }] }, 238],
    ['an unknown command', { fooBar: 1 }, 59],
    ['an unknown field', { find: 'c', foo: 1 }, 40415],
    ['authentication', { saslStart: 1 }, 238],
  ])('names what is not supported: %s', async (_what, command, code) => {
    await expect(server.db.command(command)).rejects.toMatchObject({ code });
  });
});
