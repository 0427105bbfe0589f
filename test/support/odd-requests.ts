import fc from 'fast-check';
import { exampleOf } from '../../api/docs/example.ts';
import { ODD_TEXTS, ODD_VALUES } from './odd-values.ts';

/** JSON Schema, as far as it is used here. */
interface Schema {
  $ref?: string;
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  type?: string;
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
}

/** An operation of the API's document. */
export interface Operation {
  method: string;
  path: string;
  streams: boolean;
  parameters: string[];
  body?: { type: string; schema: Schema };
}

export interface OddRequest {
  operation: Operation;
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
}

interface Source {
  operations: Operation[];
  schemas: Record<string, Schema>;
  /** Ids of records that are there. */
  ids: string[];
  /** The same by the first part of their paths. */
  idsOf: Record<string, string[]>;
}

/** Requests that fit the API's document, and such as nearly do, and such as do not at all. */
export function oddRequests(source: Source): fc.Arbitrary<OddRequest> {
  return fc.constantFrom(...source.operations).chain((operation) =>
    fc
      .record({
        path: pathOf(operation, source),
        query: queryOf(operation, source),
        body: operation.body ? bodyOf(operation.body, source) : fc.constant(undefined),
        key: fc.option(fc.oneof(fc.uuid(), fc.constantFrom('x'.repeat(129), 'a b')), {
          nil: undefined,
          freq: 8,
        }),
      })
      .map(({ path, query, body, key }) => ({
        operation,
        path: `${path}${query === '' ? '' : `?${query}`}`,
        headers: {
          ...(operation.body ? { 'Content-Type': operation.body.type } : {}),
          ...(key === undefined ? {} : { 'Idempotency-Key': key }),
        },
        body,
      })),
  );
}

function text({ ids }: Source): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...ids) },
    { weight: 3, arbitrary: fc.string({ minLength: 1, unit: 'grapheme' }) },
    { weight: 2, arbitrary: fc.constantFrom(...ODD_TEXTS) },
  );
}

function pathOf({ path }: Operation, source: Source): fc.Arbitrary<string> {
  const odd = fc.constantFrom(
    'x',
    'ffffffffffffffffffffffff',
    '%00',
    '%24where',
    '__proto__',
    '%E0%A4%A',
    '😀',
    '%2F',
  );
  const known = source.idsOf[path.split('/')[1] ?? ''] ?? [];
  const own = known.length > 0 ? known : source.ids;
  const step = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...own) },
    { weight: 1, arbitrary: fc.constantFrom(...source.ids) },
    { weight: 1, arbitrary: odd },
  );
  const steps = path.split('/').map((part) => (part.startsWith('{') ? step : fc.constant(part)));
  return fc.tuple(...steps).map((parts) => parts.join('/'));
}

function queryOf({ parameters }: Operation, source: Source): fc.Arbitrary<string> {
  const name =
    parameters.length > 0 ? fc.constantFrom(...parameters, '$where', 'a.b.c', 'x') : fc.constant('x');
  const value = fc.oneof(fc.constantFrom(...ODD_VALUES), text(source));
  const encoded = (one: string) => encodeURIComponent(Buffer.from(one).toString().slice(0, 2_000));
  const pair = fc.tuple(name, value).map(([key, one]) => `${encoded(key)}=${encoded(one)}`);
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant('') },
    {
      weight: parameters.length > 0 ? 3 : 1,
      arbitrary: fc.array(pair, { minLength: 1, maxLength: 4 }).map((pairs) => pairs.join('&')),
    },
  );
}

function bodyOf({ type, schema }: NonNullable<Operation['body']>, source: Source): fc.Arbitrary<string> {
  if (type !== 'application/json') return text(source).map((one) => Buffer.from(one).toString());
  const raw = fc.constantFrom(
    '',
    '{',
    '[]',
    'null',
    '"x"',
    '7',
    '{"a":1e999}',
    '{"__proto__":{"a":1}}',
    '['.repeat(10_000),
  );
  return fc.oneof(
    {
      weight: 6,
      arbitrary: valueOf(schema, { source, wrong: 0, name: '' }).map((value) => JSON.stringify(value)),
    },
    {
      weight: 2,
      arbitrary: valueOf(schema, { source, wrong: 0.2, name: '' }).map((value) => JSON.stringify(value)),
    },
    { weight: 1, arbitrary: fc.oneof(raw, fc.json()) },
  );
}

interface Making {
  source: Source;
  /** How large a part is anything instead. */
  wrong: number;
  /** Of the field. */
  name: string;
}

/** Values of a schema. */
function valueOf(schema: Schema, making: Making): fc.Arbitrary<unknown> {
  const { wrong } = making;
  const right = rightValue(schema, making);
  if (wrong === 0) return right;
  return fc.oneof(
    { weight: 10, arbitrary: right },
    { weight: 10 * wrong, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  );
}

function rightValue(schema: Schema, making: Making): fc.Arbitrary<unknown> {
  const { source } = making;
  const inner = (one: Schema, name = making.name) => valueOf(one, { ...making, name });
  if (schema.$ref) return inner(source.schemas[schema.$ref.split('/').pop() ?? ''] ?? {});
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => inner(one)));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if ('const' in schema) return fc.constant(schema.const);
  switch (schema.type) {
    case 'string':
      return fieldText(schema, making);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.oneof(fc.nat(5), fc.integer());
    case 'number':
      return fc.oneof(fc.nat(2_000), fc.double({ noNaN: true, noDefaultInfinity: true }));
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(inner(schema.items ?? {}), { maxLength: 3 });
    case 'object':
      return objectOf(schema, source, inner);
    default:
      return fc.jsonValue({ maxDepth: 3 });
  }
}

/**
 * Mostly what a field of this name holds: an id of the records that it refers to, or what the
 * document has for an example.
 */
function fieldText(schema: Schema, { source, name }: Making): fc.Arbitrary<unknown> {
  const kind = name === 'parent' ? 'organizations' : `${name.replace(/s$/, '')}s`;
  const ids = source.idsOf[kind] ?? [];
  const usual = ids.length > 0 ? fc.constantFrom(...ids) : fc.constant(exampleOf(schema as never));
  return fc.oneof({ weight: 4, arbitrary: usual }, { weight: 1, arbitrary: text(source) });
}

function objectOf(
  { properties, patternProperties = {}, required = [] }: Schema,
  source: Source,
  inner: (schema: Schema, name?: string) => fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> {
  if (!properties) {
    const [values = {}] = Object.values(patternProperties);
    return fc.dictionary(fc.oneof(fc.string({ minLength: 1 }), text(source)), inner(values), { maxKeys: 3 });
  }
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, one]) => [name, inner(one, name)]),
  );
  return fc.record(fields, { requiredKeys: required.filter((name) => name in fields) });
}
