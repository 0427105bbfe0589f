import fc from 'fast-check';
import { buildExample } from '../../api/docs/examples.ts';
import { ODD_TEXTS, ODD_VALUES } from './odd-values.ts';

/** The part of JSON Schema that is used here. */
interface JsonSchema {
  $ref?: string;
  anyOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  type?: string;
  properties?: Record<string, JsonSchema>;
  patternProperties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
}

export interface ApiOperation {
  method: string;
  path: string;
  streams: boolean;
  parameters: string[];
  body?: { type: string; schema: JsonSchema };
}

export interface OddRequest {
  operation: ApiOperation;
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
}

interface GeneratorInput {
  operations: ApiOperation[];
  schemas: Record<string, JsonSchema>;
  ids: string[];
  /** Ids of existing records, by the first part of the path of their resource. */
  idsOf: Record<string, string[]>;
}

/** Generates requests that match the API's document, nearly match it, or do not match it at all. */
export function oddRequests(source: GeneratorInput): fc.Arbitrary<OddRequest> {
  return fc.constantFrom(...source.operations).chain((operation) =>
    fc
      .record({
        path: anyPath(operation, source),
        query: anyQuery(operation, source),
        body: operation.body ? anyBody(operation.body, source) : fc.constant(undefined),
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

function text({ ids }: GeneratorInput): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...ids) },
    { weight: 3, arbitrary: fc.string({ minLength: 1, unit: 'grapheme' }) },
    { weight: 2, arbitrary: fc.constantFrom(...ODD_TEXTS) },
  );
}

function anyPath({ path }: ApiOperation, source: GeneratorInput): fc.Arbitrary<string> {
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

function anyQuery({ parameters }: ApiOperation, source: GeneratorInput): fc.Arbitrary<string> {
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

function anyBody(
  { type, schema }: NonNullable<ApiOperation['body']>,
  source: GeneratorInput,
): fc.Arbitrary<string> {
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
      arbitrary: anyValue(schema, { source, wrong: 0, name: '' }).map((value) => JSON.stringify(value)),
    },
    {
      weight: 2,
      arbitrary: anyValue(schema, { source, wrong: 0.2, name: '' }).map((value) => JSON.stringify(value)),
    },
    { weight: 1, arbitrary: fc.oneof(raw, fc.json()) },
  );
}

interface Making {
  source: GeneratorInput;
  /** Weight of arbitrary values, relative to values that match the schema. */
  wrong: number;
  name: string;
}

function anyValue(schema: JsonSchema, making: Making): fc.Arbitrary<unknown> {
  const { wrong } = making;
  const right = rightValue(schema, making);
  if (wrong === 0) return right;
  return fc.oneof(
    { weight: 10, arbitrary: right },
    { weight: 10 * wrong, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  );
}

function rightValue(schema: JsonSchema, making: Making): fc.Arbitrary<unknown> {
  const { source } = making;
  const inner = (one: JsonSchema, name = making.name) => anyValue(one, { ...making, name });
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
      return anyObject(schema, source, inner);
    default:
      return fc.jsonValue({ maxDepth: 3 });
  }
}

/**
 * Generates values of a field, mostly typical values: an id of an existing record, or the example
 * from the OpenAPI document.
 */
function fieldText(schema: JsonSchema, { source, name }: Making): fc.Arbitrary<unknown> {
  const kind = name === 'parent' ? 'organizations' : `${name.replace(/s$/, '')}s`;
  const ids = source.idsOf[kind] ?? [];
  const usual = ids.length > 0 ? fc.constantFrom(...ids) : fc.constant(buildExample(schema as never));
  return fc.oneof({ weight: 4, arbitrary: usual }, { weight: 1, arbitrary: text(source) });
}

function anyObject(
  { properties, patternProperties = {}, required = [] }: JsonSchema,
  source: GeneratorInput,
  inner: (schema: JsonSchema, name?: string) => fc.Arbitrary<unknown>,
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
