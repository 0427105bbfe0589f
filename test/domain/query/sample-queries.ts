import fc from 'fast-check';
import { DAYS, IDS, KINDS, instants, leaves, number, order, same, text } from './sample.ts';
import type { Sample } from './sample.ts';

/** One query parameter: its name, its value as text and a predicate for the matching records. */
export interface Asked {
  name: string;
  text: string;
  holds: (record: Sample) => boolean;
  /** Conditions on members of this list are OR-combined (spec 9.4). */
  list?: string;
}

/** A field for queries: its path and the texts that are written for its values. */
interface Field {
  path: string;
  written: fc.Arbitrary<{ text: string; values: unknown[] }>;
  list?: string;
  textual?: boolean;
  unordered?: boolean;
}

const asText = (values: fc.Arbitrary<string>) => values.map((one) => ({ text: one, values: [one] }));
const asNumber = number.map((one) => ({ text: String(one), values: [one] as unknown[] }));
const free = fc.oneof(
  asText(text.filter((one) => !/^-?\d/.test(one))),
  number.map((one) => ({ text: String(one), values: [String(one), one] as unknown[] })),
  fc.boolean().map((one) => ({ text: String(one), values: [String(one), one] as unknown[] })),
);

const FIELDS: Field[] = [
  { path: 'name', written: asText(text), textual: true },
  { path: 'n', written: asNumber },
  {
    path: 'flag',
    written: fc.boolean().map((one) => ({ text: String(one), values: [one] })),
    unordered: true,
  },
  { path: 'at', written: fc.nat(3).map((at) => ({ text: DAYS[at]!, values: [new Date(instants[at]!)] })) },
  { path: 'kind', written: asText(fc.constantFrom(...KINDS)), textual: true },
  { path: 'tags', written: asText(text), textual: true },
  { path: 'meta.k', written: free, textual: true },
  { path: 'meta.in.x', written: free },
  { path: 'people.user', written: asText(fc.constantFrom(...IDS)), list: 'people', textual: true },
  { path: 'people.count', written: asNumber, list: 'people' },
  { path: 'people.roles', written: asText(text), list: 'people', textual: true },
];

const escaped = (one: string) => (/^[=!<>~[{]/.test(one) ? `[${one}]` : one);
const PATTERNS: [string, (one: string) => boolean][] = [
  ['a', (one) => one.includes('a')],
  ['^[ab]', (one) => /^[ab]/u.test(one)],
  ['B$', (one) => one.endsWith('B')],
  ['^.$', (one) => Array.from(one).length === 1],
  ['\\$|é{2}', (one) => one.includes('$') || one.includes('éé')],
];

interface Test {
  text: string;
  meets: (found: unknown[]) => boolean;
}

function testsOf({ written, textual, unordered }: Field): fc.Arbitrary<Test> {
  const items = fc.array(written, { minLength: 1, maxLength: 3 });
  const some = (values: unknown[]) => (found: unknown[]) =>
    found.some((one) => values.some((value) => same(one, value)));
  const numberOf = (values: unknown[]) => values.find((value) => typeof value === 'number') ?? values[0];
  const relation = fc.constantFrom<[string, (order: number) => boolean]>(
    ['>', (o) => o > 0],
    ['>=', (o) => o >= 0],
    ['<', (o) => o < 0],
    ['<=', (o) => o <= 0],
  );
  const bound = fc
    .tuple(relation, written)
    .map(([[sign, test], { text: one, values }]) => ({
      text: `${sign}${one}`,
      lower: sign.startsWith('>'),
      clear: !/^=/.test(one),
      meets: (found: unknown) => {
        const relative = order(found, numberOf(values));
        return relative !== undefined && test(relative);
      },
    }))
    .filter(({ clear }) => clear);
  const tests: fc.Arbitrary<Test>[] = [
    written.map((one) => ({ text: escaped(one.text), meets: some(one.values) })),
    written.map((one) => ({ text: `!=${one.text}`, meets: (found: unknown[]) => !some(one.values)(found) })),
    items.map((all) => ({
      text: `[${all.map((one) => one.text).join(',')}]`,
      meets: some(all.flatMap(({ values }) => values)),
    })),
    items.map((all) => ({
      text: `![${all.map((one) => one.text).join(',')}]`,
      meets: (found: unknown[]) => !some(all.flatMap(({ values }) => values))(found),
    })),
    fc.constant({ text: '', meets: (found: unknown[]) => found.length > 0 }),
    fc.constant({ text: '!', meets: (found: unknown[]) => found.length === 0 }),
  ];
  if (!unordered) {
    tests.push(
      bound.map(({ text: one, meets }) => ({ text: one, meets: (found: unknown[]) => found.some(meets) })),
    );
    tests.push(
      fc
        .tuple(bound, bound)
        .filter(([one, other]) => one.lower !== other.lower)
        .map(([one, other]) => ({
          text: `${one.text},${other.text}`,
          meets: (found: unknown[]) => found.some((value) => one.meets(value) && other.meets(value)),
        })),
    );
  }
  if (textual) {
    tests.push(
      fc.constantFrom(...PATTERNS).map(([pattern, test]) => ({
        text: `~${pattern}`,
        meets: (found: unknown[]) => found.some((one) => typeof one === 'string' && test(one)),
      })),
    );
  }
  return fc.oneof(...tests);
}

const plain: fc.Arbitrary<Asked> = fc.constantFrom(...FIELDS).chain((field) =>
  testsOf(field).map(({ text: value, meets }) => ({
    name: field.path,
    text: value,
    holds: (one: Sample) => meets(leaves(one, field.path.split('.'))),
    ...(field.list ? { list: field.list } : {}),
  })),
);

const MEMBER_FIELDS = FIELDS.filter(({ list }) => list === 'people');

const member: fc.Arbitrary<Asked> = fc
  .tuple(fc.uniqueArray(fc.constantFrom(...MEMBER_FIELDS), { minLength: 1, maxLength: 3 }), fc.boolean())
  .chain(([fields, colons]) =>
    fc.tuple(...fields.map(testsOf)).map((tests) => {
      const keys = fields.map(({ path }) => path.slice('people.'.length));
      const inside = keys
        .map((key, at) => `${key}${colons ? ': ' : '='}${tests[at]!.text}`)
        .join(colons ? ', ' : ';');
      return {
        name: 'people',
        text: `{${inside}}`,
        holds: ({ people = [] }: Sample) =>
          people.some((one) => keys.every((key, at) => tests[at]!.meets(leaves(one, [key])))),
      };
    }),
  )
  // Leaves out texts that would end a value within the braces.
  .filter(
    ({ text: value }) =>
      !/[[{!]\s*[[{]|[[{][^\]]*[[{]/.test(value.slice(1, -1)) && !/, /.test(value.replaceAll(/, \w+: /g, '')),
  );

const special: fc.Arbitrary<Asked> = fc.oneof(
  fc.nat(2).map((at) => ({
    name: `people.${at}`,
    text: '',
    holds: ({ people = [] }: Sample) => people.length > at,
  })),
  fc
    .nat(2)
    .map((at) => ({ name: `tags.${at}`, text: '!', holds: ({ tags = [] }: Sample) => tags.length <= at })),
  fc.constantFrom('people', 'tags', 'meta').map((name) => ({
    name,
    text: '',
    holds: (one: Sample) => {
      const found = one[name as 'people'];
      return found !== undefined && (!Array.isArray(found) || found.length > 0);
    },
  })),
  fc.constantFrom('a', 'B', '!', '>').map((pattern) => ({
    name: 'name,tags,id',
    text: pattern,
    holds: (one: Sample) =>
      one._id === pattern ||
      [one.name, ...(one.tags ?? [])].some((value) => value?.toLowerCase().includes(pattern.toLowerCase())),
  })),
  fc.constantFrom('1', '0.5', 'true', 'a', ...DAYS).map((pattern) => ({
    name: 'n,at,flag,meta.k,name',
    text: pattern,
    holds: (one: Sample) =>
      (one.n != null && String(one.n) === pattern) ||
      one.at?.getTime() === new Date(instants[DAYS.indexOf(pattern)] ?? NaN).getTime() ||
      String(one.flag) === pattern ||
      (typeof one.meta?.['k'] !== 'string' && String(one.meta?.['k']) === pattern) ||
      [one.name, one.meta?.['k']].some((value) => typeof value === 'string' && searched(value, pattern)),
  })),
  fc.tuple(fc.constantFrom(...IDS), fc.nat(2)).map(([user, count]) => ({
    name: 'people',
    text: `{user=${user};count,roles=${count}}`,
    holds: ({ people = [] }: Sample) =>
      people.some(
        (one) =>
          one.user === user &&
          (one.count === count || (one.roles ?? []).some((role) => role.includes(String(count)))),
      ),
  })),
  fc.constantFrom(...IDS).map((id) => ({ name: 'id', text: id, holds: ({ _id }: Sample) => _id === id })),
);

function searched(value: string, pattern: string): boolean {
  return new RegExp(pattern.replace('+', '\\+'), 'i').test(value);
}

/** One to four parameters with different names. */
export const query: fc.Arbitrary<Asked[]> = fc.uniqueArray(
  fc.oneof(
    { weight: 5, arbitrary: plain },
    { weight: 2, arbitrary: member },
    { weight: 2, arbitrary: special },
  ),
  { minLength: 1, maxLength: 4, selector: ({ name }) => name },
);

/** Returns whether a record matches a query (spec 9.2, 9.4). */
export function asks(conditions: readonly Asked[], one: Sample): boolean {
  const lists = new Set(conditions.flatMap(({ list }) => list ?? []));
  return (
    conditions.filter(({ list }) => !list).every(({ holds }) => holds(one)) &&
    [...lists].every((list) =>
      conditions.some((condition) => condition.list === list && condition.holds(one)),
    )
  );
}

export function querystringOf(conditions: readonly Asked[]): string {
  return conditions
    .map(({ name, text: value }) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');
}
