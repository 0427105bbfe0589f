import fc from 'fast-check';
import { Double, Long } from 'mongodb';

/** Generators of random documents, filters, sorts and updates that the built-in store supports. */
const number = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -3, max: 3 }) },
  fc.constantFrom(0.5, -1.5, 2.5).map((value) => new Double(value)),
  fc.integer({ min: -2, max: 2 }).map((value) => Long.fromNumber(value)),
);
const text = fc.constantFrom('', 'a', 'b', 'ab', 'B');
const date = fc.integer({ min: 0, max: 3 }).map((days) => new Date(days * 86_400_000));
const scalar = fc.oneof({ weight: 4, arbitrary: number }, { weight: 3, arbitrary: text }, fc.boolean(), date);
const scalarOrNull = fc.oneof({ weight: 8, arbitrary: scalar }, fc.constant(null));
const inner = fc.record({ x: scalarOrNull, y: scalarOrNull }, { requiredKeys: [] });
const element = fc.oneof({ weight: 4, arbitrary: scalarOrNull }, inner);
const value = fc.oneof(
  { weight: 6, arbitrary: scalarOrNull },
  { weight: 3, arbitrary: fc.array(element, { maxLength: 3 }) },
  { weight: 2, arbitrary: inner },
);

export const documents = fc.array(fc.record({ a: value, b: value, c: value }, { requiredKeys: [] }), {
  minLength: 3,
  maxLength: 10,
});

const field = fc.constantFrom('a', 'b', 'c');
const path = fc.oneof(field, fc.constantFrom('a.x', 'c.y', 'b.0', 'a.1.x'));
const list = fc.array(scalarOrNull, { minLength: 1, maxLength: 3 });
const compared = fc.oneof(
  fc.record({ $eq: value }),
  fc.record({ $ne: value }),
  fc.record({ $gt: scalar }),
  fc.record({ $gte: scalar, $lt: scalar }),
  fc.record({ $lte: scalar }),
  fc.record({ $in: list }),
  fc.record({ $nin: list }),
  fc.record({ $exists: fc.boolean() }),
  fc.record({ $regex: fc.constantFrom('^a', 'b$', 'a', '^$') }),
);
const condition = fc.oneof(
  { weight: 3, arbitrary: value },
  { weight: 9, arbitrary: compared },
  { weight: 1, arbitrary: compared.map((one) => ({ $not: one })) },
  { weight: 1, arbitrary: fc.record({ $elemMatch: fc.record({ $gte: scalar, $lt: scalar }) }) },
  { weight: 1, arbitrary: fc.record({ $elemMatch: fc.record({ x: fc.oneof(scalar, compared) }) }) },
);
const conditions = fc
  .array(fc.tuple(path, condition), { maxLength: 2 })
  .map((entries) => Object.fromEntries(entries));
const some = fc.array(conditions, { minLength: 1, maxLength: 2 });
export const filter = fc.oneof(
  { weight: 6, arbitrary: conditions },
  some.map(($and) => ({ $and })),
  some.map(($or) => ({ $or })),
);

export const oneOfThem = fc.nat(2).map((_id): Record<string, number> => ({ _id }));

export const sort = fc
  .array(fc.tuple(path, fc.constantFrom<1 | -1>(1, -1)), { maxLength: 2 })
  .map((entries) => ({ ...Object.fromEntries(entries), _id: 1 as const }));

const pushed = fc.record(
  {
    $each: fc.array(element, { minLength: 1, maxLength: 3 }),
    $slice: fc.integer({ min: -3, max: 3 }),
  },
  { requiredKeys: ['$each'] },
);
const changed = fc.constantFrom('a', 'b', 'c', 'a.x', 'c.y');
const by = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.tuple(changed, arbitrary).map(([name, operand]) => ({ [name]: operand }));
export const update = fc.oneof(
  fc.record({ $set: by(value) }),
  fc.record({ $unset: by(fc.constant('')) }),
  fc.record({ $inc: by(number) }),
  fc.record({ $max: by(scalar) }),
  fc.record({ $push: by(fc.oneof(element, pushed)) }),
  fc.record({ $pull: by(fc.oneof(scalar, fc.record({ $gte: scalar }), fc.record({ x: scalar }))) }),
);
