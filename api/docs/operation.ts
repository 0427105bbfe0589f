import type { TObject, TSchema } from 'typebox';
import { findPaths } from '../listing/paths.ts';
import type { Paths } from '../listing/paths.ts';
import type { Route } from '../route.ts';
import { buildExample, buildPartialExample, BODY_EXAMPLES } from './examples.ts';
import {
  PAGING,
  buildHeaderRefs,
  PARAMETERS,
  listParameters,
  pathParameter,
  reference,
} from './parameters.ts';
import type { HeaderName } from './parameters.ts';
import { operationName, operationWords } from './operation-names.ts';
import { buildErrorRefs, takesIfMatch } from './error-responses.ts';
import type { NamedSchemas } from './schemas.ts';

interface OperationContext {
  schemas: NamedSchemas;
  /** With the document's parameter names. */
  path: string;
}

export function buildOperation(row: Route, { schemas, path }: OperationContext): object {
  return {
    operationId: operationName(row),
    summary: row.summary,
    description: [operationWords(row), describeScope(row)].filter((words) => words !== '').join(' '),
    tags: [row.path.split('/')[1]],
    security: buildSecurity(row),
    parameters: [...pathParameters(row, path), ...buildParameters(row, schemas)],
    ...(row.body ? { requestBody: requestBody(row, row.body, schemas) } : {}),
    responses: {
      ...Object.fromEntries(
        row.statuses.map((status) => [status, buildSuccessResponse(row, status, schemas)]),
      ),
      ...(isReadRecord(row, schemas) ? { 304: { $ref: '#/components/responses/NotModified' } } : {}),
      ...buildErrorRefs(row),
    },
  };
}

function buildSecurity({ scope, ticket }: Route): object[] {
  if (scope === null) return [];
  return [{ bearer: [] }, ...(ticket ? [{ ticket: [] }] : [])];
}

function describeScope({ scope, self, session }: Route): string {
  if (scope === null) return 'Open to anybody.';
  const keys = session ? ' In a session only: API keys are refused.' : '';
  return `Needs scope ${scope}${self ? `; for the caller's own record, ${self}` : ''}.${keys}`;
}

/** Returns whether the response can be 304. */
function isReadRecord(row: Route, { showsRecord }: NamedSchemas): boolean {
  return row.method === 'GET' && showsRecord(row);
}

function pathParameters(row: Route, path: string): object[] {
  const called = parsePathVariables(path);
  return parsePathVariables(row.path).map((name, at) => ({
    ...pathParameter(name, row.path),
    name: called[at] ?? name,
  }));
}

function parsePathVariables(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
}

function buildParameters(row: Route, schemas: NamedSchemas): object[] {
  const paths = findListPaths(row);
  return [
    ...(row.query ? queryParameters(row.query) : []),
    ...(paths
      ? listParameters(paths, { item: getItemSchema(row), populate: buildPopulateParameter(row) })
      : []),
    ...(isReadRecord(row, schemas)
      ? [reference('select'), buildPopulateParameter(row), reference('ifNoneMatch')]
      : []),
    ...(takesIfMatch(row) ? [reference('ifMatch')] : []),
    ...(row.creates && row.scope !== null ? [reference('idempotencyKey')] : []),
  ];
}

interface DescribedSchema extends TSchema {
  description?: string;
  examples?: unknown[];
}

/** Deliveries have no `createdBy`. */
function buildPopulateParameter({ path }: Route): object {
  return path.startsWith('/deliveries')
    ? { ...PARAMETERS['populate'], example: 'service' }
    : reference('populate');
}

function queryParameters({ properties, required }: TObject): object[] {
  return Object.entries(properties).map(
    ([name, { description, examples: _, ...schema }]: [string, DescribedSchema]) => ({
      name,
      in: 'query',
      // Missing if all are optional.
      required: (required as readonly string[] | undefined)?.includes(name) ?? false,
      description,
      schema,
      example: buildExample(properties[name] as TSchema),
    }),
  );
}

/** Returns no filters for a search. */
function findListPaths(row: Route): Paths | undefined {
  const item = row.method === 'GET' ? getItemSchema(row) : undefined;
  const paths = item && findPaths(item);
  return paths && row.query ? new Map() : paths;
}

function getItemSchema({ answer }: Route): TSchema | undefined {
  return ((answer ?? {}) as { items?: TSchema }).items;
}

function requestBody(row: Route, schema: TSchema, { refer }: NamedSchemas): object {
  const examples = BODY_EXAMPLES[`${row.method} ${row.path}`] ?? {
    example: { value: row.method === 'PATCH' ? buildPartialExample(schema) : buildExample(schema) },
  };
  const others = Object.entries(row.eventTypes ?? {}).map(([type, other]): [string, object] => [
    type,
    {
      schema: refer(other),
      examples: BODY_EXAMPLES[`${row.method} ${row.path} ${type}`] ?? {
        example: { value: buildExample(other) },
      },
    },
  ]);
  const plain: [string, object] = [row.bodyType, { schema: refer(schema), examples }];
  // Only a CloudEvent can name its type without the path.
  const named = others.filter(([type]) => row.path !== '/events' || type.includes('cloudevents'));
  const content = Object.fromEntries(row.path === '/events' ? named : [plain, ...named]);
  return { required: true, ...(row.eventTypes ? { description: EVENT_BODY } : {}), content };
}

/** Most generators create a method per media type, so other types are only described. */
const EVENT_BODY =
  'JSON may also be sent as `text/json` or any `+json`. Under `text/plain`, `application/octet-stream`, `binary/octet-stream` or no type ' +
  'the body is JSON or a form. A CloudEvent in binary form has its attributes in headers that begin with `ce-`, and its data in the body.';

function buildSuccessResponse(row: Route, status: number, { refer, showsRecord }: NamedSchemas): object {
  const headers: HeaderName[] = [
    ...(showsRecord(row) ? (['ETag'] as const) : []),
    ...(findListPaths(row) ? PAGING : []),
    ...(status === 201 ? (['Location'] as const) : []),
    ...(row.creates ? (['Idempotent-Replayed'] as const) : []),
    ...(row.body ? (['X-Ignored-Fields', 'X-Hint'] as const) : []),
  ];
  const content = row.answer && {
    [row.answerType]: { schema: refer(row.answer), example: buildExample(row.answer) },
  };
  return {
    description: SUCCESS[status] ?? 'Done.',
    headers: buildHeaderRefs(headers),
    ...(content ? { content } : {}),
  };
}

const SUCCESS: Record<number, string> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Taken: it is being done.',
  204: 'Done; there is nothing to answer with.',
};
