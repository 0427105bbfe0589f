import type { TObject, TSchema } from 'typebox';
import { pathsBehind } from '../listing/paths.ts';
import type { Paths } from '../listing/paths.ts';
import type { Route } from '../route.ts';
import { exampleOf, partialExampleOf } from './example.ts';
import { BODY_EXAMPLES } from './examples.ts';
import { PAGING, headersOf } from './headers.ts';
import type { HeaderName } from './headers.ts';
import { listParameters, pathParameter, reference } from './parameters.ts';
import { refusalsOf, takesIfMatch } from './refusals.ts';
import type { NamedSchemas } from './schemas.ts';

/** One row of the route table as an operation of OpenAPI. */
export function operation(row: Route, schemas: NamedSchemas): object {
  return {
    operationId: `${row.method.toLowerCase()}${row.path.replace(/[/:]+(\w)/g, (_, first: string) => first.toUpperCase())}`,
    summary: row.summary,
    description: scopeWords(row),
    tags: [row.path.split('/')[1]],
    security: securityOf(row),
    parameters: parametersOf(row, schemas),
    ...(row.body ? { requestBody: requestBody(row, row.body, schemas) } : {}),
    responses: {
      ...Object.fromEntries(row.statuses.map((status) => [status, success(row, status, schemas)])),
      ...(isReadRecord(row, schemas) ? { 304: { $ref: '#/components/responses/NotModified' } } : {}),
      ...refusalsOf(row),
    },
  };
}

function securityOf({ scope, ticket }: Route): object[] {
  if (scope === null) return [];
  return [{ bearer: [] }, ...(ticket ? [{ ticket: [] }] : [])];
}

function scopeWords({ scope, self, session }: Route): string {
  if (scope === null) return 'Open to anybody.';
  const keys = session ? ' In a session only: API keys are refused.' : '';
  return `Needs scope ${scope}${self ? `; for the caller's own record, ${self}` : ''}.${keys}`;
}

/** Whether a record by itself is read, which the caller may have already. */
function isReadRecord(row: Route, { showsRecord }: NamedSchemas): boolean {
  return row.method === 'GET' && showsRecord(row);
}

function parametersOf(row: Route, schemas: NamedSchemas): object[] {
  const names = [...row.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const paths = pathsOfList(row);
  return [
    ...names.map(pathParameter),
    ...(row.query ? queryParameters(row.query) : []),
    ...(paths ? listParameters(paths) : []),
    ...(isReadRecord(row, schemas) ? [reference('ifNoneMatch')] : []),
    ...(takesIfMatch(row) ? [reference('ifMatch')] : []),
    ...(row.creates && row.scope !== null ? [reference('idempotencyKey')] : []),
  ];
}

function queryParameters({ properties, required }: TObject): object[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    // There is no list where every parameter is optional.
    required: (required as readonly string[] | undefined)?.includes(name) ?? false,
    schema,
    example: exampleOf(schema, name),
  }));
}

/**
 * The fields that the list may be asked by, if the row is a list. A search takes none: its words
 * say what is looked for.
 */
function pathsOfList({ method, answer, query }: Route): Paths | undefined {
  const { items } = (answer ?? {}) as { items?: TSchema };
  const paths = method === 'GET' && items ? pathsBehind(items) : undefined;
  return paths && query ? new Map() : paths;
}

function requestBody(row: Route, schema: TSchema, { refer }: NamedSchemas): object {
  const examples = BODY_EXAMPLES[`${row.method} ${row.path}`] ?? {
    example: { value: row.method === 'PATCH' ? partialExampleOf(schema) : exampleOf(schema, 'jsonata') },
  };
  return { required: true, content: { [row.bodyType]: { schema: refer(schema), examples } } };
}

function success(row: Route, status: number, { refer, showsRecord }: NamedSchemas): object {
  const headers: HeaderName[] = [
    ...(showsRecord(row) ? (['ETag'] as const) : []),
    ...(pathsOfList(row) ? PAGING : []),
    ...(status === 201 ? (['Location'] as const) : []),
    ...(row.creates ? (['Idempotent-Replayed'] as const) : []),
    ...(row.body ? (['X-Ignored-Fields'] as const) : []),
  ];
  const content = row.answer && {
    [row.answerType]: { schema: refer(row.answer), example: exampleOf(row.answer) },
  };
  return {
    description: SUCCESS[status] ?? 'Done.',
    headers: headersOf(headers),
    ...(content ? { content } : {}),
  };
}

const SUCCESS: Record<number, string> = {
  200: 'Done.',
  201: 'Created.',
  204: 'Done; there is nothing to answer with.',
};
