import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import type { OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';
import { openApi } from '../../api/docs/openapi.ts';
import { ROUTES } from '../../api/routes.ts';
import { CHANGES } from '../../domain/events/event-pattern.ts';
import { RESOURCES } from '../../domain/resources.ts';

const FILE = fileURLToPath(new URL('../../packages/client/src/api.ts', import.meta.url));
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const NOTICE = '// Made from the description of the API: `npm run client:types`. Not to be edited.\n\n';

type Tree = Record<string, any>;

export function committedTypes(): string {
  return readFileSync(FILE, 'utf8');
}

/** Generates the types of `@parlance/client` from the current API description. */
export async function clientTypes(): Promise<string> {
  const { info, paths, components } = plain(openApi(ROUTES, '')) as Tree;
  const schemas = {
    ...components.schemas,
    Operations: operationsOf(paths),
    EventOperations: eventOperations(),
  };
  const described = { openapi: '3.1.0', info, paths: {}, components: { schemas } } as unknown as OpenAPI3;
  const text = astToString(
    await openapiTS(described, {
      defaultNonNullable: false,
      transform: ({ format }) => (format === 'binary' ? binaryType() : undefined),
    }),
  );
  return NOTICE + text.slice(text.indexOf('export interface components'), text.indexOf('export type $defs'));
}

/** Builds the type of a file: what `fetch` sends in browsers, Node, Deno and Bun. */
function binaryType(): ts.TypeNode {
  const named = (name: string, argument?: string): ts.TypeReferenceNode =>
    ts.factory.createTypeReferenceNode(name, argument === undefined ? undefined : [named(argument)]);
  return ts.factory.createUnionTypeNode([
    named('Blob'),
    named('ArrayBuffer'),
    named('Uint8Array', 'ArrayBuffer'),
    named('ReadableStream', 'Uint8Array'),
  ]);
}

/** Builds a type with the operations of each resource that has events (spec 7.4). */
function eventOperations(): Tree {
  const rows = Object.values(RESOURCES).flatMap((row) => ('event' in row ? [row.event] : []));
  const found = rows.map(({ name, ...event }) => {
    const also = 'also' in event ? event.also : [];
    return [name, { type: 'string', enum: [...CHANGES, ...also] }] as const;
  });
  return { description: 'The operations of events, by resource.', ...objectOf(Object.fromEntries(found)) };
}

/**
 * Builds a type with a field per operation, such as `POST /messages`. The field has the path, the
 * required query, the body and the success response of a typed call.
 */
function operationsOf(paths: Tree): Tree {
  const found = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item as Tree)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operationType(operation)] as const),
  );
  return objectOf(Object.fromEntries(found));
}

function operationType({ summary, description, parameters = [], requestBody, responses }: Tree): Tree {
  // Omits optional parameters: a list accepts any dotted path as a filter.
  const named = (where: string) =>
    (parameters as Tree[]).filter((one) => one['in'] === where && one['required']);
  const path = named('path');
  const query = named('query');
  const body = requestBody && schemaOf(requestBody);
  const answers = Object.entries(responses as Tree).filter(([status]) => status < '300');
  const answer = answers.map(([, one]) => schemaOf(one)).find(Boolean);
  return {
    description: [summary, description].filter(Boolean).join('. '),
    ...objectOf(
      {
        ...(path.length > 0 ? { path: parametersOf(path) } : {}),
        ...(query.length > 0 ? { query: parametersOf(query) } : {}),
        ...(body ? { body } : {}),
        ...(answer ? { answer } : {}),
      },
      requestBody?.required === false ? ['body'] : [],
    ),
  };
}

function schemaOf({ content }: Tree): Tree | undefined {
  const [first] = Object.values((content ?? {}) as Tree);
  return first?.schema;
}

function parametersOf(parameters: Tree[]): Tree {
  return objectOf(Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])));
}

function objectOf(properties: Tree, optional: readonly string[] = []): Tree {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', required, properties };
}

/**
 * Returns the document as JSON without examples, with free-form objects as `additionalProperties`.
 */
function plain(document: object): unknown {
  return JSON.parse(JSON.stringify(document), (name, value: unknown) => {
    if (name === 'examples' || name === 'example') return undefined;
    if (!isTree(value) || !isTree(value['patternProperties'])) return value;
    const { patternProperties, maxProperties: _, ...rest } = value;
    const [of] = Object.values(patternProperties);
    return { ...rest, additionalProperties: isTree(of) && Object.keys(of).length > 0 ? of : true };
  });
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(FILE, await clientTypes());
