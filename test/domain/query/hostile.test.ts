import Type from 'typebox';
import { afterEach, describe, expect, test } from 'vitest';
import { buildPaths } from '../../../api/listing/paths.ts';
import { parseListQuery } from '../../../domain/query/list-query.ts';
import { parseParameters } from '../../../domain/query/query-string.ts';
import { DomainError } from '../../../domain/errors.ts';
import { cpuRatio } from '../../support/cpu-time.ts';

const paths = buildPaths(
  Type.Object({
    name: Type.String(),
    n: Type.Number(),
    at: Type.String({ format: 'date-time' }),
    meta: Type.Record(Type.String(), Type.Unknown()),
    people: Type.Array(
      Type.Object({ user: Type.String(), names: Type.Array(Type.Object({ first: Type.String() })) }),
    ),
  }),
);

const refusalOf = (querystring: string): DomainError => {
  try {
    parseListQuery(parseParameters(querystring), paths);
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error('was not refused');
};
const encoded = (name: string, value: string) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
const NUL = String.fromCharCode(0);

/** A valid query for comparison: a hundred conditions with eleven values each. */
const HONEST = Array.from({ length: 100 }, (_, at) => `meta.k${at}=[${'value,'.repeat(10)}value]`).join('&');
const MAX_RATIO = 30;

/** Spec 2, 8.6, 9.3. */
describe('a hostile query', () => {
  test.each<[string, string]>([
    ...[
      '__proto__',
      'constructor',
      'prototype',
      'toString',
      'meta.__proto__',
      'meta.constructor.prototype',
      'meta.a.prototype',
    ].map((name): [string, string] => ['a prototype key', encoded(name, '1')]),
    ...[
      '$where',
      'meta.$where',
      'meta.a.$gt',
      'people.$[]',
      'name[$ne]',
      'people={$where=1}',
      'meta..a',
      'meta.',
      '.',
      '',
      '*',
      'meta.*.$x',
    ].map((name): [string, string] => ['an operator as a name', `${encodeURIComponent(name)}=1`]),
    ['a value that fits none of several fields', encoded('n,at', 'x')],
    ['an operator in braces', encoded('people', '{$where=1}')],
    ['a prototype key in braces', encoded('people', '{__proto__=1}')],
    ['a prototype key to sort by', encoded('sort', '__proto__')],
    ['a NUL', encoded('name', `a${NUL}b`)],
    ['a NUL in a name', encoded(`na${NUL}me`, 'a')],
    ['half of a surrogate pair', 'name=%ED%A0%80'],
    ['broken encoding', 'name=%E0%A4%A'],
    ...['1e999', '0x10', 'NaN', 'Infinity', '9'.repeat(400), '--1', '1.', '.5', '1,5', '١'].map(
      (text): [string, string] => ['an invalid number', encoded('n', text)],
    ),
    ...[
      '2026-02-30',
      '2026-13-01',
      '99999-01-01',
      'now',
      '2026-01-01T25:00',
      '1700000000000',
      '2026-1-1',
      '+010000-01-01',
    ].map((text): [string, string] => ['an invalid time', encoded('at', text)]),
    ...[
      '(a+)+$',
      '(a|a)*b',
      '(a{1000}){1000}',
      '(?=a)',
      '(a)\\1',
      '('.repeat(200),
      '['.repeat(200),
      '(a*)*'.repeat(50),
      `(${'a|'.repeat(120)}a)*`,
      'a'.repeat(300),
    ].map((text): [string, string] => ['an expensive or invalid pattern', encoded('name', `~${text}`)]),
    ['a deep nest of braces', encoded('people', `${'{names='.repeat(2000)}1${'}'.repeat(2000)}`)],
    ['braces that are not closed', encoded('people', '{user=a')],
    ['braces without a key', encoded('people', '{}')],
    ['a very long path', encoded(`meta${'.a'.repeat(5000)}`, '1')],
    ['very many values', encoded('name', `[${'a,'.repeat(5000)}a]`)],
    ['very many conditions', Array.from({ length: 2000 }, (_, at) => `meta.k${at}=1`).join('&')],
    ['very many fields', `${'name,'.repeat(3000)}name=a`],
    ['very many fields to sort by', `sort=${'name,'.repeat(3000)}name`],
    ['a very long text without meaning', '='.repeat(15_000)],
    ['a repeated parameter', 'name=a&name=b'],
    ['a repeated parameter, encoded otherwise', 'name=a&n%61me=b'],
  ])(
    `a hostile query with %s is rejected, and costs less than ${MAX_RATIO} times as much as a valid query: %s`,
    async (_, querystring) => {
      const ratio = await cpuRatio({
        run: () => expect(refusalOf(querystring).code).toBe('invalid_request'),
        honest: () => parseListQuery(parseParameters(HONEST), paths),
        enough: MAX_RATIO,
      });
      expect(ratio).toBeLessThan(MAX_RATIO);
    },
  );

  test.each([
    ['name=!a', 'name', 2],
    ['name=[a,b', 'name', 5],
    ['n=>1,>=2', 'n', 1],
    ['name=~a(b', 'name', 3],
    ['people={user=a;x', 'people', 10],
    ['people={user=a;,}', 'people', 9],
    ['people={user=~a(}', 'people', 9],
    ['people={user=~a(;count,user=1}', 'people', 9],
  ])('the query %s is rejected with the position of the error', (querystring, name, character) => {
    const { message, details } = refusalOf(querystring);
    expect(message).toMatch(new RegExp(`^${name}: .*at character ${character}$`));
    expect(details?.[0]?.path).toBe(name);
  });
});

/** Spec 9.3: a time without an offset is UTC. */
describe('times in queries', () => {
  const zone = process.env['TZ'];
  afterEach(() => {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  });

  test.each(['UTC', 'America/New_York', 'Asia/Kathmandu'])(
    'times in queries do not depend on the time zone of the process: %s',
    (name) => {
      process.env['TZ'] = name;
      const read = (text: string) => {
        const [condition] = parseListQuery(parseParameters(encoded('at', text)), paths).conditions;
        return condition?.is === 'one of' ? (condition.values[0] as Date).toISOString() : undefined;
      };
      expect(read('2026-03-08T02:30')).toBe('2026-03-08T02:30:00.000Z');
      expect(read('2026-03-08')).toBe('2026-03-08T00:00:00.000Z');
      expect(read('2026-03-08T02:30:00.5+05:45')).toBe('2026-03-07T20:45:00.500Z');
      expect(read('2026-03-08T02:30:00 05:45')).toBe('2026-03-07T20:45:00.000Z');
    },
  );

  test.each(['2026-02-30', '2027-02-29T10:00:00Z', '2026-13-01', '2026-05-04T25:00:00Z', '2026-05-04T10:70'])(
    'nonexistent times in queries are rejected: %s',
    (text) => {
      expect(() => parseListQuery(parseParameters(encoded('at', text)), paths)).toThrow(
        'at: must be an ISO 8601 time, as in 2026-03-14T09:00:00Z',
      );
    },
  );
});
