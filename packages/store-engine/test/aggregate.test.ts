import { describe, expect, test } from 'vitest';
import { isEngine, useServer } from './support.ts';

const server = useServer();

const SALES = [
  { _id: 1, shop: 'a', n: 2, place: { city: 'x', rooms: 3 } },
  { _id: 2, shop: 'b', n: 5 },
  { _id: 3, shop: 'a', n: 4 },
  { _id: 4, shop: 'c', n: 1 },
];

type AggregateCase = [promise: string, pipeline: object[], result: object[]];

const CASES: AggregateCase[] = [
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
    '$sort, $skip, $limit, $match and $project of groups',
    [
      { $group: { _id: '$shop', total: { $sum: '$n' }, ids: { $push: '$_id' } } },
      { $sort: { _id: 1 } },
      { $skip: 1 },
      { $limit: 1 },
      { $match: { total: { $gt: 1 } } },
      { $project: { ids: 0 } },
    ],
    [{ _id: 'b', total: 5 }],
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
  ['$group of all documents', [{ $group: { _id: null, n: { $sum: 1 } } }], [{ _id: null, n: 4 }]],
  [
    '$group by a field of an embedded document',
    [{ $group: { _id: '$place.city', n: { $sum: '$place.rooms' } } }, { $sort: { _id: 1 } }],
    [
      { _id: null, n: 0 },
      { _id: 'x', n: 3 },
    ],
  ],
  [
    '$group with $push',
    [{ $sort: { _id: 1 } }, { $group: { _id: '$shop', all: { $push: '$_id' } } }, { $match: { _id: 'a' } }],
    [{ _id: 'a', all: [1, 3] }],
  ],
  [
    '$group of documents that are matched, sorted and projected first',
    [
      { $match: { n: { $lt: 5 } } },
      { $sort: { n: 1, _id: 1 } },
      { $project: { shop: 1 } },
      { $group: { _id: '$shop', ids: { $push: '$_id' }, gone: { $push: '$n' } } },
      { $sort: { _id: 1 } },
    ],
    [
      { _id: 'a', ids: [1, 3], gone: [] },
      { _id: 'c', ids: [4], gone: [] },
    ],
  ],
  [
    '$group that counts documents after a projection',
    [{ $match: { shop: 'a' } }, { $project: { n: 1 } }, { $group: { _id: 1, n: { $sum: 1 } } }],
    [{ _id: 1, n: 2 }],
  ],
];

describe('an aggregation', () => {
  test.each(CASES)('an aggregation runs %s', async (_promise, pipeline, result) => {
    const collection = server.fresh();
    await collection.insertMany(SALES);
    expect(await collection.aggregate(pipeline).toArray()).toEqual(result);
  });

  test('an aggregation refuses an unknown stage', async () => {
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
    ['$unwind', [{ $unwind: '$a' }]],
    ['a projection by the operator $zip', [{ $project: { a: { $zip: { inputs: [[1], [2]] } } } }]],
    ['a projection by an expression', [{ $project: { a: '$b' } }]],
    ['the operator $toUpper in a group', [{ $group: { _id: { $toUpper: '$a' } } }]],
    ['a group by several fields', [{ $group: { _id: { a: '$a', b: '$b' } } }]],
    ['the variable $$ROOT', [{ $group: { _id: '$$ROOT' } }]],
    ['the accumulator $avg', [{ $group: { _id: null, a: { $avg: '$a' } } }]],
  ])('an aggregation refuses %s with 238 instead of ignoring it', async (_what, pipeline) => {
    const collection = server.fresh();
    await collection.insertOne({ _id: 1 });
    await expect(collection.aggregate(pipeline).toArray()).rejects.toMatchObject({
      code: 238,
      codeName: 'NotImplemented',
    });
  });

  test.runIf(isEngine).each([
    ['$where', { find: 'c', filter: { $where: 'true' } }, 238],
    ['$expr', { find: 'c', filter: { $expr: true } }, 238],
    ['$size', { find: 'c', filter: { a: { $size: 1 } } }, 238],
    ['distinct', { distinct: 'c', key: 'a' }, 238],
    ['$text', { find: 'c', filter: { $text: { $search: 'x' } } }, 238],
    ['a collation', { find: 'c', collation: { locale: 'de' } }, 238],
    ['a capped collection', { create: 'capped', capped: true, size: 1000 }, 238],
    ['a text index', { createIndexes: 'c', indexes: [{ key: { a: 'text' }, name: 't' }] }, 238],
    ['an unknown command', { fooBar: 1 }, 59],
    ['an unknown field', { find: 'c', foo: 1 }, 40415],
    ['authentication', { saslStart: 1 }, 238],
  ])(
    'an unsupported or unknown feature is rejected with its error code: %s',
    async (_what, command, code) => {
      await expect(server.db.command(command)).rejects.toMatchObject({ code });
    },
  );
});
