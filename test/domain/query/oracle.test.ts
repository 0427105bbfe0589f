import { matcherOf } from '@parlance/store-engine/matcher';
import { serialize } from 'bson';
import fc from 'fast-check';
import { Query } from 'mingo';
import Type from 'typebox';
import { describe, expect, test } from 'vitest';
import { buildPaths } from '../../../api/listing/paths.ts';
import { parseListQuery } from '../../../domain/query/list-query.ts';
import { parseParameters } from '../../../domain/query/query-string.ts';
import { OPERATORS, compileFilter } from '../../../store/queries/compile-filter.ts';
import { record } from './sample.ts';
import { asks, query, querystringOf } from './sample-queries.ts';

const paths = buildPaths(
  Type.Object({
    id: Type.String({ format: 'id' }),
    name: Type.String(),
    n: Type.Number(),
    flag: Type.Boolean(),
    at: Type.String({ format: 'date-time' }),
    kind: Type.Unsafe({ type: 'string', enum: ['red', 'green', 'blue'] }),
    tags: Type.Array(Type.String()),
    meta: Type.Record(Type.String(), Type.Unknown()),
    people: Type.Array(
      Type.Object({
        user: Type.String({ format: 'id' }),
        count: Type.Number(),
        roles: Type.Array(Type.String()),
      }),
    ),
  }),
);

const seed = Number(process.env['FC_SEED'] ?? 1988);
const CASES = Number(process.env['QUERY_CASES'] ?? 5_000);

function operatorsIn(value: unknown, found = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const member of value) operatorsIn(member, found);
  else if (typeof value === 'object' && value !== null && !(value instanceof Date)) {
    for (const [key, member] of Object.entries(value)) {
      if (key.startsWith('$')) found.add(key);
      operatorsIn(member, found);
    }
  }
  return found;
}

/**
 * Returns whether mingo, the second reference implementation, evaluates this filter as MongoDB
 * does. Mingo differs for empty lists as values, conditions on lists in lists, RE2 escapes and code
 * point order.
 */
function isForMingo(filter: unknown): boolean {
  if (Array.isArray(filter)) return filter.every((member) => isForMingo(member) && !isEmptyList(member));
  if (typeof filter !== 'object' || filter === null || filter instanceof Date) return true;
  return Object.entries(filter).every(([key, value]) => {
    if (key === 'people.roles') return false;
    if (key === '$regex') return !String(value).includes('\\');
    if (/^\$[gl]te?$/.test(key)) return !/[\u{ff00}-\u{10ffff}]/u.test(String(value));
    return isForMingo(value);
  });
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** Spec 9. Set FC_SEED to repeat a run. */
describe(`random queries on random records (seed ${seed})`, () => {
  test('random queries find the expected records and compile to permitted operators only', () => {
    const asked = { all: 0, mingo: 0 };
    fc.assert(
      fc.property(query, fc.array(record, { minLength: 1, maxLength: 4 }), (conditions, records) => {
        const text = querystringOf(conditions);
        const filter = compileFilter(parseListQuery(parseParameters(text), paths).conditions);
        expect(OPERATORS).toEqual(expect.arrayContaining([...operatorsIn(filter)]));
        const mingo = isForMingo(filter) ? new Query(filter) : undefined;
        const matches = matcherOf(serialize(filter));
        for (const one of records) {
          const found = matches(serialize(one));
          if (mingo) {
            expect([text, one, mingo.test({ ...one })]).toEqual([text, one, found]);
            asked.mingo += 1;
          }
          asked.all += 1;
          if (found !== asks(conditions, one)) {
            expect({ found, text: decodeURIComponent(text), one, filter: JSON.stringify(filter) }).toEqual({
              found: !found,
            });
          }
        }
      }),
      { numRuns: CASES, seed },
    );
    expect(asked.mingo).toBeGreaterThan(asked.all / 3);
  });
});
