import type { TSchema } from 'typebox';
import { describe, expect, test } from 'vitest';
import { buildExample } from '../../api/docs/examples.ts';
import { ROUTES } from '../../api/routes.ts';
import { viewerInput } from '../../api/chat-page/post.ts';
import { DomainError } from '../../domain/errors.ts';
import type { ErrorDetail } from '../../domain/errors.ts';
import { bodyCheck } from '../../schema/check.ts';

const TYPE = '(a text|a number|a whole number|true or false|a list|an object|null)';

/** Every error message that the API may return about a field. */
const WORDS = [
  /^is required(; you sent "\S+", which is not a field: did you mean it\?)?$/,
  /^must be one of \S+(, \S+)*(; did you mean \S+\?)?$/,
  /^must not be empty$/,
  /^must have a visible character$/,
  /^must have at least [\d]+ characters$/,
  /^must have at most [\d]+ characters$/,
  /^must be two capital letters, as in ISO 3166 \(NL\)$/,
  /^must be words of letters, digits, "_" and "-" joined by dots, as in order.created$/,
  /^must be the name of the header that has .*, in letters, digits, "-" and "_"$/,
  /^must be what precedes .*, in visible ASCII characters but "," and ";"$/,
  /^must be a time of day as in 09:30$/,
  /^must be an id of 24 hexadecimal digits$/,
  /^must be at least -?\d+$/,
  /^must be at most \d+$/,
  /^must have at least 1 entry$/,
  /^must have at most \d+ entries$/,
  /^must not have an entry twice$/,
  new RegExp(`^must be ${TYPE}$`),
  new RegExp(`^must be ${TYPE} or ${TYPE}$`),
];

const BODIES = [
  ...ROUTES.filter(({ body, bodyType }) => body && bodyType === 'application/json').map((row) => ({
    name: `${row.method} ${row.path}`,
    schema: row.body as TSchema,
    check: row.checkBody,
  })),
  { name: 'POST /c/:slug/messages', schema: viewerInput, check: bodyCheck(viewerInput, 'whole') },
];

describe('an invalid body', () => {
  const seen = new Set<string>();

  test.each(BODIES)(
    'an invalid body is described in terms of the API, not of its schema library: $name',
    ({ schema, check }) => {
      for (const body of oddBodies(schema, buildExample(schema))) {
        for (const { path, message } of faultsOf(() => check?.(body))) {
          seen.add(message);
          expect(path).not.toBe('');
          expect(WORDS.filter((words) => words.test(message))).toHaveLength(1);
        }
      }
    },
  );

  test('the invalid bodies of these tests cause every listed error message', () => {
    expect(WORDS.filter((words) => ![...seen].some((message) => words.test(message)))).toEqual([]);
  });

  test('the response to a small invalid body lists each invalid field once', () => {
    const { check } = BODIES.find(({ name }) => name === 'POST /users') ?? {};
    const faults = faultsOf(() => check?.({ email: 5, role: 'king', meta: [], organization: null }));
    expect(faults).toEqual([
      { path: 'email', message: 'must be a text' },
      { path: 'role', message: 'must be one of viewer, agent, bot, admin' },
      { path: 'meta', message: 'must be an object' },
    ]);
  });

  test('the response to an invalid body repeats at most a thousand characters of the body', () => {
    const { check } = BODIES.find(({ name }) => name === 'POST /contacts') ?? {};
    const faults = faultsOf(() => check?.({ profile: { address: { ['😀'.repeat(5000)]: 5 } } }));
    expect(faults[0]?.path).toMatch(/^profile\.address\.😀+…$/u);
    expect(faults[0]?.path.length).toBeLessThanOrEqual(1000);
  });
});

describe('a name without visible characters', () => {
  const NAMES = ['name', 'displayName', 'givenName', 'familyName', 'title', 'tags', 'category', 'industry'];
  /** Routes that treat blank fields as absent, because web forms send empty texts. */
  const ABSENT = ['POST /conversations', 'POST /contacts', 'POST /services/:id/inbound'];
  /** Not tested: the `name` of this route filters events and is not stored. */
  const CHOOSING = ['POST /events/retry'];
  const fields = BODIES.filter(({ name }) => !CHOOSING.includes(name)).flatMap(({ name, schema, check }) =>
    namePlaces(schema, buildExample(schema), NAMES).map(({ path, body }) => ({ name, path, body, check })),
  );

  test('the tests of a name without visible characters cover more than 30 fields', () =>
    expect(fields.length).toBeGreaterThan(30));

  test.each(fields)(
    'a name without visible characters is rejected or counts as absent: $path of $name',
    ({ name, path, body, check }) => {
      const refused = ABSENT.includes(name) ? [] : [path];
      expect(faultsOf(() => check?.(body)).map((fault) => fault.path)).toEqual(refused);
    },
  );
});

/** Returns bodies with one blank field each, for every field with one of these names. */
function namePlaces(
  shape: Shape,
  given: unknown,
  names: readonly string[],
): { path: string; body: unknown }[] {
  // An optional object may be absent in the example around it.
  const fitting = given ?? buildExample(shape);
  const blank = { path: '', body: '\u3164\u00ad' };
  const object = shape.anyOf?.find(({ properties }) => properties) ?? shape;
  const list = shape.anyOf?.find(({ items }) => items) ?? shape;
  if (list.items) {
    const first = (fitting as unknown[] | undefined)?.[0] ?? buildExample(list.items);
    return namePlaces(list.items, first, names).map(({ path, body }) => ({
      path: `0.${path}`,
      body: [body],
    }));
  }
  return Object.entries(object.properties ?? {}).flatMap(([name, inner]) => {
    const part = (fitting as Record<string, unknown>)[name];
    const isText = typeof buildExample(inner) === 'string';
    if (name === 'items' || (isText && !names.includes(name))) return [];
    const places =
      name === 'tags'
        ? [{ path: '0', body: [blank.body] }]
        : isText
          ? [blank]
          : namePlaces(inner, part, names);
    return places.map(({ path, body }) => ({
      path: path === '' ? name : `${name}.${path}`,
      body: { ...(fitting as object), [name]: body },
    }));
  });
}

interface Shape {
  properties?: Record<string, Shape>;
  patternProperties?: Record<string, Shape>;
  items?: Shape;
  anyOf?: Shape[];
}

const ODD = [
  5,
  -1,
  1.5,
  1e300,
  '',
  'x',
  '!',
  '\u200b',
  'X'.repeat(300_000),
  true,
  null,
  [],
  {},
  [5],
  ['x', 'x'],
  { a: 5 },
];
const MANY = [
  Array<unknown>(2000).fill('x'),
  Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`k${n}`, {}])),
];

/** Returns bodies with an odd value in one place, for every place and every odd value. */
function oddBodies(shape: Shape, fitting: unknown): unknown[] {
  const odd = [...ODD, ...MANY];
  if (shape.anyOf) return [...odd, ...shape.anyOf.flatMap((one) => oddBodies(one, buildExample(one)))];
  if (shape.items)
    odd.push(...oddBodies(shape.items, buildExample(shape.items as TSchema)).map((one) => [one]));
  for (const [name, inner] of Object.entries({ ...shape.properties, a: shape.patternProperties?.['^.*$'] })) {
    if (!inner) continue;
    const { [name]: given, ...others } = (fitting ?? buildExample(shape)) as Record<string, unknown>;
    odd.push(others, ...oddBodies(inner, given).map((one) => ({ ...others, [name]: one })));
  }
  return odd;
}

function faultsOf(run: () => unknown): readonly ErrorDetail[] {
  try {
    run();
    return [];
  } catch (error) {
    if (error instanceof DomainError) return error.details ?? [];
    throw error;
  }
}
