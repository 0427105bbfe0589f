import { describe, expect, test } from 'vitest';
import { describeCommand } from './shapes.mjs';

const envelope = { lsid: {}, $db: 'any', writeConcern: { w: 'majority' } };

describe('the shape of a statement', () => {
  test('the shape of a statement contains its options, without the values of its filter and of a limit above 1', () => {
    const find = (seq: number) => ({
      find: 'messages',
      filter: { conversation: 'c', seq: { $gt: seq } },
      sort: { seq: 1 },
      limit: seq + 10,
      projection: { text: 1, _id: 0 },
      ...envelope,
    });
    expect(describeCommand(find(1))).toEqual([
      'find messages: limit, projection of fields and no _id, sort',
      'filter $gt',
    ]);
    expect(describeCommand(find(2))).toEqual(describeCommand(find(1)));
  });

  test('the shape of a statement distinguishes one, some and all documents', () => {
    expect(describeCommand({ find: 'a', filter: {}, limit: 1 })).toEqual(['find a: limit 1']);
    expect(describeCommand({ find: 'a', filter: {}, limit: 20 })).toEqual(['find a: limit']);
    expect(describeCommand({ delete: 'a', deletes: [{ q: {}, limit: 0 }] })).toEqual(['delete a']);
  });

  test('the shape of an update contains its operators and their modifiers', () => {
    const u = { $set: { 'a.b': { $c: 1 } }, $push: { list: { $each: [1], $slice: -5 } } };
    expect(
      describeCommand({ update: 'a', updates: [{ u, q: { _id: 1 }, upsert: true }], ordered: true }),
    ).toEqual(['update a: $push($each $slice) $set, upsert true, ordered true']);
  });

  test('the shape of a pipeline contains its stages and expressions, but not the contents of a literal', () => {
    const u = [
      { $set: { a: { $cond: [{ $gt: ['$b', 1] }, { $literal: { $x: 1 } }, '$b'] } } },
      { $unset: 'b' },
    ];
    expect(
      describeCommand({ update: 'a', updates: [{ u, q: { $or: [{ a: /b/ }, { a: { $in: [1] } }] } }] }),
    ).toEqual([
      'update a: pipeline $set($cond $gt $literal) | $unset',
      'filter $in',
      'filter $or',
      'filter $regex',
    ]);
  });

  test('the shape of an index contains its keys and its partial filter', () => {
    const indexes = [
      { key: { a: 1 }, name: 'a_1', unique: true, partialFilterExpression: { a: { $gt: '' } } },
    ];
    expect(describeCommand({ createIndexes: 'a', indexes })).toEqual([
      'createIndexes a: {"a":1}, unique, where {"a":{"$gt":""}}',
    ]);
  });

  test('the shape of a statement is the same if the driver sends a sequence of documents, or a map instead of an object', () => {
    const updates = { field: 'updates', documents: [{ q: {}, u: { $set: { a: 1 } } }] };
    expect(describeCommand({ update: 'a', updates })).toEqual(['update a: $set']);
    const indexes = [{ key: new Map([['b', 1]]), name: 'b_1' }];
    expect(describeCommand({ createIndexes: 'a', indexes })).toEqual(['createIndexes a: {"b":1}']);
  });

  test('the shape of a command that contains no statements is its name', () => {
    expect(describeCommand({ ping: 1, ...envelope })).toEqual(['ping']);
  });
});
