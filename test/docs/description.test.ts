import { expect, test } from 'vitest';
import { operationName } from '../../api/docs/operation-names.ts';
import { openApi } from '../../api/docs/openapi.ts';
import { ROUTES } from '../../api/routes.ts';

interface Shape {
  $ref?: string;
  description?: string;
  examples?: unknown[];
  const?: unknown;
  properties?: Record<string, Shape>;
  additionalProperties?: Shape | boolean;
  patternProperties?: Record<string, Shape>;
  items?: Shape;
  anyOf?: Shape[];
  oneOf?: Shape[];
}

interface Operation {
  operationId: string;
  summary: string;
  description: string;
  parameters: { $ref?: string; name?: string; description?: string; example?: unknown }[];
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: {
    schemas: Record<string, Shape>;
    parameters: Record<string, { description?: string; example?: unknown }>;
    headers: Record<string, { description?: string; schema?: Shape }>;
  };
}

const document = openApi(ROUTES, 'https://chat.parlance.test') as Document;
const { schemas, parameters, headers } = document.components;
const operations = [
  ...Object.values(document.paths).flatMap((methods) => Object.values(methods)),
  ...Object.values(document.webhooks).map(({ post }) => post),
];

/** Returns every property of a schema, at any depth, with its path. */
function propertiesOf(shape: Shape, place: string): [string, Shape][] {
  const own = Object.entries(shape.properties ?? {});
  const parts = [...(shape.anyOf ?? []), ...(shape.oneOf ?? []), ...(shape.items ? [shape.items] : [])];
  return [
    ...own.map(([name, one]): [string, Shape] => [`${place}.${name}`, one]),
    ...own.flatMap(([name, one]) => propertiesOf(one, `${place}.${name}`)),
    ...parts.flatMap((one) => propertiesOf(one, place)),
  ];
}

const properties = Object.entries(schemas).flatMap(([name, shape]) => propertiesOf(shape, name));

/**
 * Returns whether a schema or a part of it has an example, or is a reference, a constant or an
 * object with fields, which need no example.
 */
function showsExample(shape: Shape): boolean {
  const { $ref, examples, items, anyOf, properties: fields, patternProperties = {} } = shape;
  if ($ref) return true;
  if (examples || shape.const !== undefined || fields) return true;
  return [items, anyOf?.[0], ...Object.values(patternProperties)].some((one) => one && showsExample(one));
}

test('every property of the API description has a description', () => {
  const silent = properties.filter(([, { description, $ref }]) => !description && !$ref);
  expect(silent.map(([place]) => place)).toEqual([]);
  expect(properties.length).toBeGreaterThan(800);
});

test('every property of the API description has an example', () => {
  expect(properties.filter(([, shape]) => !showsExample(shape)).map(([place]) => place)).toEqual([]);
});

test('every component of the API description has a description', () => {
  const silent = Object.entries({ ...schemas, ...parameters, ...headers }).filter(
    ([, { description }]) => !description,
  );
  expect(silent.map(([name]) => name)).toEqual([]);
});

test('every operation has a unique, camel-case name', () => {
  const names = operations.map(({ operationId }) => operationId);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => !/^[a-z]+([A-Z][a-z]+)*$/.test(name))).toEqual([]);
  const unnamed = ROUTES.filter((row) => operationName(row) === '').map(
    ({ method, path }) => `${method} ${path}`,
  );
  expect(unnamed, 'to be named in api/docs/operation-names.ts').toEqual([]);
});

test('every operation has a description longer than its summary, and describes its parameters with examples', () => {
  const silent = operations.filter(({ description, summary }) => description.length <= summary.length);
  expect(silent.map(({ operationId }) => operationId)).toEqual([]);
  const unsaid = operations.flatMap(({ operationId, parameters: own }) =>
    own
      .filter(({ $ref, description, example }) => !$ref && (!description || example === undefined))
      .map(({ name }) => `${operationId} ${name ?? ''}`),
  );
  expect(unsaid).toEqual([]);
});

test('every reference in the API description leads to a component', () => {
  const text = JSON.stringify(document);
  const references = [...text.matchAll(/"#\/components\/(\w+)\/(\w+)"/g)];
  const lost = references.filter(
    ([, kind = '', name = '']) => !(name in ((document.components as never)[kind] as object)),
  );
  expect(lost.map(([reference]) => reference)).toEqual([]);
  expect(references.length).toBeGreaterThan(500);
});

test('bodies of requests and responses are components and not inlined', () => {
  const inlined = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => /"schema":\{"type":"object"/.test(JSON.stringify(operation)))
      .map(([method]) => `${method} ${path}`),
  );
  expect(inlined).toEqual([]);
});
