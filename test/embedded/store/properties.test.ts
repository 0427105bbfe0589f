import fc from 'fast-check';
import { Query } from 'mingo';
import { MongoServerError } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { useServer } from './support.ts';

const server = useServer();

const SEED = Number(process.env.FC_SEED ?? Date.now() % 1_000_000_000);

const scalar = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom('a', 'b', ''), fc.boolean());
const value = fc.oneof(
  { weight: 6, arbitrary: scalar },
  { weight: 2, arbitrary: fc.array(scalar, { maxLength: 3 }) },
  fc.constant(null),
);
const doc = fc.record(
  { a: value, b: value, c: fc.record({ d: value }, { requiredKeys: [] }) },
  { requiredKeys: [] },
);
const docs = fc.array(doc, { minLength: 1, maxLength: 25 });

const field = fc.constantFrom('a', 'b', 'c.d');
const condition = fc.oneof(
  scalar,
  fc.constant(null),
  fc.record({ $gt: scalar }),
  fc.record({ $gte: scalar, $lt: scalar }),
  fc.record({ $lte: scalar }),
  fc.record({ $ne: scalar }),
  fc.record({ $in: fc.array(scalar, { minLength: 1, maxLength: 3 }) }),
  fc.record({ $nin: fc.array(scalar, { minLength: 1, maxLength: 3 }) }),
  fc.record({ $exists: fc.boolean() }),
  fc.record({ $elemMatch: fc.record({ $gte: scalar }) }),
);
const simple = fc
  .array(fc.tuple(field, condition), { maxLength: 3 })
  .map((entries) => Object.fromEntries(entries));
const filter = fc.oneof(
  simple,
  fc.tuple(simple, simple).map(([left, right]) => ({ $and: [left, right] })),
  fc.tuple(simple, simple).map(([left, right]) => ({ $or: [left, right] })),
);
const direction = fc.constantFrom<1 | -1>(1, -1);
const sort = fc
  .array(fc.tuple(field, direction), { maxLength: 2 })
  .map((entries) => ({ ...Object.fromEntries(entries), _id: 1 as const }));
const index = fc.record({
  key: fc
    .uniqueArray(fc.tuple(field, direction), { minLength: 1, maxLength: 2, selector: ([name]) => name })
    .map((entries) => Object.fromEntries(entries)),
  options: fc.constantFrom(
    {},
    { sparse: true },
    { partialFilterExpression: { a: { $exists: true } } },
    { partialFilterExpression: { b: { $gte: 0 } } },
  ),
});
const update = fc.oneof(
  fc.record({ $set: fc.record({ a: value }) }),
  fc.record({ $unset: fc.constant({ b: '' }) }),
  fc.record({ $set: fc.record({ 'c.d': value }) }),
  fc.constant({ $rename: { a: 'b' } }),
);

const RUNS = { seed: SEED, numRuns: 60 };

/** Two arrays cannot be in one compound index: such a write is refused. Nor can an index be made twice. */
async function ignoring(codes: readonly number[], work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof MongoServerError) || !codes.includes(Number(error.code))) throw error;
  });
}

describe(`for random documents and statements (FC_SEED=${SEED})`, () => {
  it('an index changes no answer and no order', async () => {
    await fc.assert(
      fc.asyncProperty(
        docs,
        filter,
        sort,
        fc.array(index, { maxLength: 3 }),
        update,
        async (...[all, wanted, order, indexes, change]) => {
          const plain = server.fresh();
          const indexed = server.fresh();
          for (const { key, options } of indexes) {
            const name = `${JSON.stringify(key)}${JSON.stringify(options)}`;
            await ignoring([85, 86], indexed.createIndex(key, { ...options, name }));
          }
          for (const [position, one] of all.entries()) {
            await ignoring([171], indexed.insertOne({ _id: position, ...one }));
          }
          const stored = await indexed.find().toArray();
          if (stored.length > 0) await plain.insertMany(stored);
          expect(await indexed.find(wanted).sort(order).toArray()).toEqual(
            await plain.find(wanted).sort(order).toArray(),
          );
          expect(await indexed.find(wanted).sort(order).limit(3).toArray()).toEqual(
            await plain.find(wanted).sort(order).limit(3).toArray(),
          );
          await ignoring([171], indexed.updateMany(wanted, change));
          await plain.deleteMany({});
          const changed = await indexed.find().toArray();
          if (changed.length > 0) await plain.insertMany(changed);
          expect(await indexed.find(wanted).sort(order).toArray()).toEqual(
            await plain.find(wanted).sort(order).toArray(),
          );
          expect(await indexed.countDocuments(wanted)).toBe(await plain.countDocuments(wanted));
        },
      ),
      RUNS,
    );
  });

  it('a filter finds what an independent implementation finds', async () => {
    const scalars = fc.array(fc.record({ a: scalar, b: scalar }, { requiredKeys: [] }), {
      minLength: 1,
      maxLength: 20,
    });
    const conditions = fc
      .array(fc.tuple(fc.constantFrom('a', 'b'), condition), { maxLength: 3 })
      .map((entries) => Object.fromEntries(entries));
    await fc.assert(
      fc.asyncProperty(scalars, conditions, async (...[all, wanted]) => {
        const collection = server.fresh();
        const withIds = all.map((one, position) => ({ _id: position, ...one }));
        await collection.insertMany(withIds);
        await collection.createIndex({ a: 1, b: 1 });
        const expected = new Query(wanted)
          .find<{ _id: number }>(withIds)
          .all()
          .map((one) => one._id);
        const found = await collection.find(wanted).sort({ _id: 1 }).toArray();
        expect(found.map((one) => one._id)).toEqual(expected);
      }),
      RUNS,
    );
  });
});
