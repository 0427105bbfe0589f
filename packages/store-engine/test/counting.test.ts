import type { Document } from 'mongodb';
import { describe, expect, test } from 'vitest';
import { useServer } from './support.ts';

const server = useServer();

describe('a count with an index', () => {
  const COUNTS: [filter: Document, limits?: { skip?: number; limit?: number }][] = [
    [{ a: 'x' }],
    [{ a: { $in: ['x', 'y'] } }],
    [{ $and: [{ a: { $in: ['x', 'z'] } }, { a: { $in: ['x'] } }] }],
    [{ $and: [{ a: { $in: ['x', 'y'] } }, { a: { $in: ['x', 'x'] } }] }],
    [{ $and: [{ a: { $in: ['x', 'y'] } }, { a: { $in: ['y', 'z'] } }] }],
    [{ $and: [{ a: { $in: ['x', 'y'] } }, { a: { $in: [null, 'x', 'z'] } }] }],
    [{ a: 'x', at: { $gte: new Date(3) } }],
    [{ a: 'x', at: { $gte: new Date(3), $lt: new Date(5) } }, { skip: 1 }],
    [{ a: { $in: ['x', 'y'] } }, { limit: 3 }],
    [{ a: 'nothing' }],
    [{ a: 'x', at: { $gt: new Date(9) } }],
    [{ a: 'x', b: 1 }],
  ];

  test.each(COUNTS)(
    'a count with an index equals a count without an index and the number of found documents for %j',
    async (filter, limits = {}) => {
      const documents = Array.from({ length: 24 }, (_, n) => ({
        ...(n % 4 === 3 ? {} : { a: ['x', 'y', 'z'][n % 4] }),
        at: new Date(n % 7),
        b: n % 2,
      }));
      const [indexed, plain] = [server.fresh(), server.fresh()];
      await indexed.createIndex({ a: 1, at: -1 });
      for (const collection of [indexed, plain])
        await collection.insertMany(documents.map((one, n) => ({ _id: n, ...one })));
      const counted = await indexed.countDocuments(filter, limits);
      expect(counted).toBe(await plain.countDocuments(filter, limits));
      expect(counted).toBe((await plain.find(filter, limits).toArray()).length);
    },
  );
});
