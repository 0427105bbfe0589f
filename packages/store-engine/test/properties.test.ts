import fc from 'fast-check';
import { Query } from 'mingo';
import { MongoServerError } from 'mongodb';
import { describe, expect, test } from 'vitest';
import { useServer } from './support.ts';

const server = useServer();

const SEED = Number(process.env.FC_SEED ?? 1988);

const scalar = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom('a', 'b', ''), fc.boolean());
const value = fc.oneof(
  { weight: 6, arbitrary: scalar },
  { weight: 2, arbitrary: fc.array(scalar, { maxLength: 3 }) },
  fc.constant(null),
);
const docsOf = (one: fc.Arbitrary<unknown>) => {
  const fields = { a: one, b: one, c: fc.record({ d: one }, { requiredKeys: [] }) };
  return fc.array(fc.record(fields, { requiredKeys: [] }), { minLength: 1, maxLength: 25 });
};
// Half of the lists have documents without arrays, because an index alone can prove a condition
// only without arrays.
const docs = fc.oneof(docsOf(value), docsOf(fc.oneof(scalar, fc.constant(null))));

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
);

const LANES = 10;
const RUNS_PER_LANE = Number(process.env.STORE_RUNS ?? 200) / LANES;

/**
 * Checks a property STORE_RUNS times (200 by default), in parallel lanes that share the flushes of
 * the store.
 */
async function holds<T>(property: fc.IAsyncProperty<T>): Promise<void> {
  const lanes = Array.from({ length: LANES }, (_, lane) =>
    fc.assert(property, { seed: SEED + lane, numRuns: RUNS_PER_LANE }),
  );
  await Promise.all(lanes);
}

/** Waits for `work` and ignores an error with one of the codes. */
async function ignoring(codes: readonly number[], work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof MongoServerError) || !codes.includes(Number(error.code))) throw error;
  });
}

/**
 * Returns 'parallel' for a sort that is refused because of parallel arrays. With an index on one of
 * the arrays, the sort may succeed.
 */
async function orParallel<T>(answer: Promise<T>): Promise<T | 'parallel'> {
  return answer.catch((error: unknown) => {
    if (error instanceof MongoServerError && error.message.includes('parallel arrays')) return 'parallel';
    throw error;
  });
}

describe(`for random documents and statements (FC_SEED=${SEED})`, { timeout: 120_000 }, () => {
  test('an index changes neither the results of a query nor their order', async () => {
    await holds(
      fc.asyncProperty(
        docs,
        filter,
        sort,
        fc.array(index, { maxLength: 3 }),
        update,
        async (...[given, wanted, order, indexes, change]) => {
          const plain = server.fresh();
          const indexed = server.fresh();
          for (const { key, options } of indexes) {
            const name = `${JSON.stringify(key)}${JSON.stringify(options)}`;
            await ignoring([85, 86], indexed.createIndex(key, { ...options, name }));
          }
          const withIds = given.map((one, position) => ({ _id: position, ...one }));
          await ignoring([171], indexed.insertMany(withIds, { ordered: false }));
          const stored = await indexed.find().toArray();
          if (stored.length > 0) await plain.insertMany(stored);
          const sameOrder = async () => {
            for (const limit of [0, 3]) {
              const asked = (one: typeof plain) => one.find(wanted).sort(order).limit(limit).toArray();
              const [expected, found] = await Promise.all(
                [plain, indexed].map((one) => orParallel(asked(one))),
              );
              if (expected !== 'parallel') expect(found).toEqual(expected);
            }
          };
          await sameOrder();
          await ignoring([171], indexed.updateMany(wanted, change));
          await plain.deleteMany({});
          const changed = await indexed.find().toArray();
          if (changed.length > 0) await plain.insertMany(changed);
          await sameOrder();
          expect(await indexed.countDocuments(wanted)).toBe(await plain.countDocuments(wanted));
        },
      ),
    );
  });

  test('a filter finds the same documents as an independent implementation', async () => {
    const scalars = fc.array(fc.record({ a: scalar, b: scalar }, { requiredKeys: [] }), {
      minLength: 1,
      maxLength: 20,
    });
    const conditions = fc
      .array(fc.tuple(fc.constantFrom('a', 'b'), condition), { maxLength: 3 })
      .map((entries) => Object.fromEntries(entries));
    await holds(
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
    );
  });

  test('updates and unique conflicts have the results of a naive model', async () => {
    const operation = fc.tuple(
      fc.constantFrom<StoreOperation>('insert', 'set', 'inc', 'push', 'unset', 'delete'),
      fc.nat(4),
      value,
    );
    const options = fc.constantFrom({}, { sparse: true });
    await holds(
      fc.asyncProperty(fc.array(operation, { maxLength: 20 }), options, async (...[operations, sparse]) => {
        const collection = server.fresh();
        await collection.createIndex({ a: 1 }, { unique: true, ...sparse });
        const model = new Map<number, Modelled>();
        for (const [name, id, operand] of operations) {
          const expected = inModel(model, { name, id, operand, sparse: 'sparse' in sparse });
          const actual = await inStore(collection, { name, id, operand });
          expect(actual, `${name} ${id} ${JSON.stringify(operand)}`).toBe(expected);
        }
        const stored = await collection.find().sort({ _id: 1 }).toArray();
        const modelled = [...model].sort(([left], [right]) => left - right);
        expect(stored).toEqual(modelled.map(([_id, doc]) => ({ _id, ...doc })));
        for (const [_id, { a }] of modelled) {
          if (typeof a === 'number') expect(await collection.findOne({ a, _id })).not.toBeNull();
        }
      }),
    );
  });
});

type StoreOperation = 'insert' | 'set' | 'inc' | 'push' | 'unset' | 'delete';
interface Modelled {
  a?: unknown;
}
interface Done {
  name: StoreOperation;
  id: number;
  operand: unknown;
}

/** Applies the operation to the model and returns the error code, or 0. */
function inModel(model: Map<number, Modelled>, done: Done & { sparse: boolean }): number {
  const { id, name } = done;
  const before = model.get(id);
  if (name === 'insert' && before) return 11000;
  if (name === 'delete') model.delete(id);
  if (name === 'delete' || (name !== 'insert' && !before)) return 0;
  const a = changed(before?.a, done);
  const refused = refusals.get(a);
  if (refused !== undefined) return refused;
  const own = keysOf(a, done.sparse);
  for (const [other, { a: theirs }] of model) {
    if (other !== id && keysOf(theirs, done.sparse).some((key) => own.includes(key))) return 11000;
  }
  model.set(id, a === undefined ? {} : { a });
  return 0;
}

/** Error codes for the values that mark a refused change. */
const refusals = new Map<unknown, number>([
  [Symbol.for('no array'), 2],
  [Symbol.for('no number'), 14],
]);

function changed(a: unknown, { name, operand }: Done): unknown {
  if (name === 'insert' || name === 'set') return operand;
  if (name === 'unset') return undefined;
  if (name === 'push') {
    if (a !== undefined && !Array.isArray(a)) return Symbol.for('no array');
    return [...((a as unknown[] | undefined) ?? []), operand];
  }
  if (a === undefined) return 1;
  return typeof a === 'number' ? a + 1 : Symbol.for('no number');
}

/**
 * Returns the index keys of a value: one, one for each element of an array, or none for a missing
 * value in a sparse index.
 */
function keysOf(a: unknown, sparse: boolean): string[] {
  if (a === undefined) return sparse ? [] : ['null'];
  if (!Array.isArray(a)) return [JSON.stringify(a)];
  return a.length === 0 ? ['an empty array'] : a.map((element) => JSON.stringify(element));
}

async function inStore(
  collection: ReturnType<typeof server.fresh>,
  { name, id, operand }: Done,
): Promise<number> {
  const update = {
    set: { $set: { a: operand } },
    inc: { $inc: { a: 1 } },
    push: { $push: { a: operand } },
    unset: { $unset: { a: '' } },
  };
  try {
    if (name === 'insert') await collection.insertOne({ _id: id, a: operand });
    else if (name === 'delete') await collection.deleteOne({ _id: id });
    else await collection.updateOne({ _id: id }, update[name] as never);
    return 0;
  } catch (error) {
    return error instanceof MongoServerError ? Number(error.code) : -1;
  }
}
