import { describe, expect, test } from 'vitest';
import { ARRAY_FILTERS } from './cases/array-filters.ts';
import { SCALAR_FILTERS } from './cases/scalar-filters.ts';
import { TYPED_FILTERS } from './cases/typed-filters.ts';
import { useServer } from './support.ts';

const server = useServer();

const CASES = [...SCALAR_FILTERS, ...ARRAY_FILTERS, ...TYPED_FILTERS];

describe('a filter', () => {
  test.each(CASES)('a filter works as in MongoDB: $promise', async ({ docs, filter, found }) => {
    const collection = server.fresh();
    await collection.insertMany(docs.map((doc, position) => ({ ...doc, _id: position })));
    const ids = await collection
      .find(filter)
      .sort({ _id: 1 })
      .map((doc) => doc._id)
      .toArray();
    expect(ids).toEqual(found);
  });

  test.each(CASES)(
    'a filter works as in MongoDB with an index on the field: $promise',
    async ({ docs, filter, found }) => {
      const collection = server.fresh();
      await collection.createIndexes([{ key: { a: 1 } }, { key: { 'a.x': -1 } }]);
      await collection.insertMany(docs.map((doc, position) => ({ ...doc, _id: position })));
      const ids = await collection
        .find(filter)
        .sort({ _id: 1 })
        .map((doc) => doc._id)
        .toArray();
      expect(ids).toEqual(found);
    },
  );

  test.each([
    ['an unknown operator', { a: { $foo: 1 } }],
    ['an unknown top-level operator', { $foo: 1 }],
    ['$in without a list', { a: { $in: 1 } }],
    ['an empty $or', { $or: [] }],
    ['$options without $regex', { a: { $options: 'i' } }],
    ['$elemMatch without a document', { a: { $elemMatch: 1 } }],
  ])('a filter with %s is refused with BadValue', async (_what, filter) => {
    await expect(server.fresh().find(filter).toArray()).rejects.toMatchObject({ code: 2 });
  });
});
