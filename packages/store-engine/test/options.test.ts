import { BSONRegExp } from 'mongodb';
import type { Document } from 'mongodb';
import { beforeAll, describe, expect, test } from 'vitest';
import { isEngine, useServer } from './support.ts';

const server = useServer();
const C = 'options';

beforeAll(async () => {
  await server.db.collection<{ _id: number }>(C).insertMany([{ _id: 1 }, { _id: 2 }]);
  await server.db.collection<{ _id: number }>('many').insertMany([{ _id: 1 }, { _id: 2 }]);
});

const answerTo = (command: Document): Promise<unknown> =>
  server.db.command(command).then(
    (answer) => (answer['writeErrors'] as { code: number }[] | undefined)?.[0]?.code ?? 'done',
    (error: unknown) => (error as { code: unknown }).code,
  );

/** Valid commands, to which the tests add options. */
const COMMANDS: Record<string, Document> = {
  find: { find: C },
  getMore: { getMore: 1n, collection: C },
  killCursors: { killCursors: C, cursors: [] },
  aggregate: { aggregate: C, pipeline: [], cursor: {} },
  count: { count: C },
  insert: { insert: C, documents: [{}] },
  update: { update: C, updates: [{ q: { _id: 9 }, u: { $set: { a: 1 } } }] },
  delete: { delete: C, deletes: [{ q: { _id: 9 }, limit: 1 }] },
  findAndModify: { findAndModify: C, query: { _id: 9 }, update: { $set: { a: 1 } } },
  createIndexes: { createIndexes: C, indexes: [{ key: { a: 1 }, name: 'a_1' }] },
  listIndexes: { listIndexes: C },
  dropIndexes: { dropIndexes: C, index: '*' },
  create: { create: 'made' },
  drop: { drop: 'nothing' },
  listCollections: { listCollections: 1 },
  listDatabases: { listDatabases: 1 },
  explain: { explain: { find: C } },
  endSessions: { endSessions: [] },
};

describe.runIf(isEngine)('an unknown option', () => {
  test.each(Object.entries(COMMANDS))(
    'an unknown option of %s is refused as an unknown field',
    async (_name, command) => {
      expect(await answerTo({ ...command, notAnOption: 1 })).toBe(40415);
    },
  );

  test.each([
    ['update', { updates: [{ q: {}, u: { $set: { a: 1 } }, notAnOption: 1 }] }],
    ['delete', { deletes: [{ q: {}, limit: 1, notAnOption: 1 }] }],
    ['aggregate', { cursor: { notAnOption: 1 } }],
  ])('an unknown option inside a field of %s is refused as an unknown field', async (name, part) => {
    expect(await answerTo({ ...COMMANDS[name], ...part })).toBe(40415);
  });

  test.each([
    { find: C, filter: { a: { $regex: 'x', $options: 'q' } } },
    { find: C, filter: { a: { $regex: 'x', $options: 'iQ' } } },
    { find: C, filter: { a: { $not: { $regex: 'x', $options: 'g' } } } },
    { find: C, filter: { a: { $regex: 'x', $options: 1 } } },
    { find: C, filter: { a: { $options: 'i' } } },
    { find: C, filter: { a: { $regex: new BSONRegExp('x', 'i'), $options: 's' } } },
    { find: C, filter: { a: { $unheard: 1 } } },
    { find: C, filter: { $unheard: 1 } },
    { find: C, filter: { a: { $elemMatch: { $unheard: 1 } } } },
    { find: C, hint: { $natural: 0 } },
    { find: C, hint: { $natural: 1, a: 1 } },
    { explain: { find: C }, verbosity: 'loud' },
  ])('an unknown operator or an invalid option is refused with BadValue: %j', async (command) => {
    expect(await answerTo(command)).toBe(2);
  });

  test.each([
    { update: C, updates: [{ q: { _id: 1 }, u: { $unheard: { a: 1 } } }] },
    { update: C, updates: [{ q: { _id: 1 }, u: { $push: { l: { $each: [1], $unheard: 1 } } } }] },
    { aggregate: C, pipeline: [{ $unheard: {} }], cursor: {} },
    { aggregate: C, pipeline: [{ $group: { _id: 1, n: { $unheard: 1 } } }], cursor: {} },
    { aggregate: C, pipeline: [{ $project: { n: { $unheard: 1 } } }], cursor: {} },
    { find: C, projection: { a: { $unheard: 1 } } },
    { getParameter: 1, unheard: 1 },
    { createIndexes: C, indexes: [{ key: { a: 1 }, name: 'x', unheard: 1 }] },
  ])('an unknown operator, stage or option is refused with an error code: %j', async (command) => {
    expect(await answerTo(command)).toBeTypeOf('number');
  });
});

describe.runIf(isEngine)('an unsupported option that would change the result', () => {
  const collation = { locale: 'de' };
  const letting = { x: 1 };
  test.each([
    ['find', { collation }],
    ['find', { let: letting }],
    ['find', { max: { _id: 3 } }],
    ['find', { min: { _id: 1 } }],
    ['find', { returnKey: true }],
    ['find', { showRecordId: true }],
    ['find', { tailable: true }],
    ['find', { awaitData: true }],
    ['find', { noCursorTimeout: true }],
    ['find', { hint: { $natural: -1 } }],
    ['find', { sort: { $natural: -1 } }],
    ['aggregate', { collation }],
    ['aggregate', { let: letting }],
    ['aggregate', { explain: true }],
    ['count', { collation }],
    ['update', { let: letting }],
    ['update', { updates: [{ q: {}, u: { $set: { a: 1 } }, collation }] }],
    ['delete', { let: letting }],
    ['delete', { deletes: [{ q: {}, limit: 1, collation }] }],
    ['findAndModify', { collation }],
    ['findAndModify', { let: letting }],
    ['createIndexes', { indexes: [{ key: { a: 1 }, name: 'x', collation }] }],
    ['createIndexes', { indexes: [{ key: { a: 1 }, name: 'x', hidden: true }] }],
    ['create', { capped: true, size: 100 }],
    ['create', { autoIndexId: false }],
    ['create', { validator: { a: 1 } }],
    ['create', { collation }],
    ['explain', { explain: { find: C, collation } }],
  ])(
    'an unsupported option that would change the result is refused with 238: %s with %j',
    async (name, options) => {
      expect(await answerTo({ ...COMMANDS[name], ...options })).toBe(238);
    },
  );
});

describe('a supported option', () => {
  test.each([
    [
      'find',
      { comment: 'why', allowDiskUse: true, allowPartialResults: true, collation: { locale: 'simple' } },
    ],
    ['find', { filter: { a: { $regex: 'x', $options: 'imsx' } }, hint: { $natural: 1 } }],
    ['aggregate', { comment: 'why', allowDiskUse: true, bypassDocumentValidation: true, hint: '_id_' }],
    ['count', { comment: 'why', hint: '_id_' }],
    ['update', { comment: 'why', bypassDocumentValidation: true, ordered: false }],
    ['create', { create: `made_${process.pid}`, comment: 'why' }],
  ])('a supported option is accepted: %s with %j', async (name, options) => {
    expect(await answerTo({ ...COMMANDS[name], ...options })).toBe('done');
  });
});
