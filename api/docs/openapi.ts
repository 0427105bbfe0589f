import type { Middleware } from 'koa';
import type { TObject, TSchema } from 'typebox';
import { MISSING_GUIDE, guidePages } from '../../web/guide-pages.ts';
import type { ServedFile } from '../../web/guide-pages.ts';
import type { ListedOperation } from '../../web/reference-page.ts';
import { findPaths } from '../listing/paths.ts';
import type { Paths } from '../listing/paths.ts';
import type { RequestState } from '../middleware/observe.ts';
import { openPaths } from '../middleware/paths.ts';
import type { AnswerPath } from '../middleware/paths.ts';
import { computeEtag } from '../pipeline/response.ts';
import type { Route } from '../route.ts';
import { ROUTES } from '../routes.ts';
import { buildErrorRefs, buildErrorResponses, buildErrorSchemas, takesIfMatch } from './error-responses.ts';
import { buildExample, buildPartialExample, BODY_EXAMPLES } from './examples.ts';
import { operationName, operationWords } from './operation-names.ts';
import {
  HEADERS,
  PAGING,
  PARAMETERS,
  buildHeaderRefs,
  describeFreeForm,
  freeFormFields,
  listParameters,
  pathParameter,
  reference,
} from './parameters.ts';
import type { HeaderName } from './parameters.ts';
import { BINARY, fileForm } from '../files/upload.ts';
import { nameSchemas } from './schemas.ts';
import type { NamedSchemas } from './schemas.ts';
import { buildWebhooks } from './webhooks.ts';

export function openApi(routes: readonly Route[], publicUrl: string): object {
  const schemas = nameSchemas(routes);
  const paths = buildPathItems(routes, schemas);
  const webhooks = buildWebhooks(schemas);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Parlance',
      version: '2',
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${publicUrl}/v2` }],
    security: [{ bearer: [] }],
    tags: buildTags(routes),
    paths,
    webhooks,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'A token of POST /auth/token, or an API key.',
        },
        ticket: {
          type: 'apiKey',
          in: 'query',
          name: 'ticket',
          description:
            "A ticket of POST /conversations/{id}/stream/ticket, valid once, for a minute. For a browser's EventSource, which cannot send a token.",
        },
      },
      parameters: PARAMETERS,
      headers: HEADERS,
      schemas: { ...buildErrorSchemas(), ...schemas.components },
      responses: { NotModified: NOT_MODIFIED, ...buildErrorResponses() },
    },
  };
}

interface Operation {
  summary: string;
  tags: string[];
  [field: string]: unknown;
}

function buildPathItems(
  routes: readonly Route[],
  schemas: NamedSchemas,
): Record<string, Record<string, Operation>> {
  const paths: Record<string, Record<string, Operation>> = {};
  const rows = routes.flatMap(expandSelfRoute);
  const templates = collectTemplates(rows);
  for (const row of rows) {
    const path = templates.get(maskVariables(row)) ?? row.path;
    const template = path.replace(/:(\w+)/g, '{$1}');
    paths[template] = {
      ...paths[template],
      [row.method.toLowerCase()]: buildOperation(row, { schemas, path }),
    };
  }
  return paths;
}

/**
 * Maps paths that differ only in parameter names to one of them: OpenAPI forbids such duplicates.
 * Prefers a path that does not end with `:id`.
 */
function collectTemplates(rows: readonly Route[]): Map<string, string> {
  const byShape = new Map<string, string>();
  for (const row of rows) {
    const known = byShape.get(maskVariables(row));
    if (known === undefined || known.endsWith(':id')) byShape.set(maskVariables(row), row.path);
  }
  return byShape;
}

function maskVariables({ path }: Route): string {
  return path.replace(/:\w+/g, ':');
}

/** For a route with `self`, also returns its variant for `me`, with the lower scope (spec 3). */
function expandSelfRoute(row: Route): Route[] {
  const { self, ...variant } = row;
  return self ? [row, { ...variant, path: row.path.replace(':id', 'me'), scope: self }] : [row];
}

function buildTags(routes: readonly Route[]): object[] {
  const names = new Set(routes.map(({ path }) => path.split('/')[1] ?? ''));
  return [...names].map((name) => ({ name, description: `Operations below \`/${name}\`.` }));
}

/** `path` has the parameter names of the OpenAPI document. */
function buildOperation(row: Route, { schemas, path }: { schemas: NamedSchemas; path: string }): Operation {
  const freeForm = freeFormFields(findListPaths(row) ?? new Map());
  const words = [operationWords(row), ...describeFreeForm(freeForm), describeScope(row)];
  return {
    operationId: operationName(row),
    summary: row.summary,
    description: words.filter((one) => one !== '').join(' '),
    ...(freeForm.length > 0 ? { 'x-free-form-filters': freeForm } : {}),
    tags: [row.path.split('/')[1] ?? ''],
    security: buildSecurity(row),
    parameters: [...pathParameters(row, path), ...buildParameters(row, schemas)],
    requestBody: row.takesFile ? buildFileBody(schemas) : row.body && requestBody(row, row.body, schemas),
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

function describeScope({ scope, self, own, session }: Route): string {
  if (scope === null) return 'Needs no authentication.';
  const keys = session ? ' Needs a session: API keys are refused.' : '';
  const lower = [self && `for the caller's own record, ${self}`, own?.words].filter(Boolean);
  return `Needs scope ${[scope, ...lower].join('; ')}.${keys}`;
}

function isReadRecord(row: Route, { showsRecord }: NamedSchemas): boolean {
  return row.method === 'GET' && showsRecord(row);
}

/** A part of a record, such as a profile, has no id and no `select`. */
function hasId(answer: Route['answer']): boolean {
  return answer !== undefined && 'properties' in answer && 'id' in (answer.properties as object);
}

function pathParameters(row: Route, path: string): object[] {
  const [own, shown] = [row.path, path].map((one) => [...one.matchAll(/(?<=:)\w+/g)].flat());
  return (own ?? []).map((name, at) => ({ ...pathParameter(name, row.path), name: shown?.[at] ?? name }));
}

function buildParameters(row: Route, schemas: NamedSchemas): object[] {
  const paths = findListPaths(row);
  // Deliveries have no `createdBy`.
  const populate = row.path.startsWith('/deliveries')
    ? { ...PARAMETERS['populate'], example: 'service' }
    : reference('populate');
  return [
    ...(row.query ? queryParameters(row.query) : []),
    ...(paths ? listParameters(paths, { item: getItemSchema(row), populate }) : []),
    ...(isReadRecord(row, schemas) && hasId(row.answer) ? [reference('select'), populate] : []),
    ...(isReadRecord(row, schemas) ? [reference('ifNoneMatch')] : []),
    ...(takesIfMatch(row) ? [reference('ifMatch')] : []),
    ...(takesPrefer(row) ? [reference('prefer')] : []),
    ...(row.creates && row.scope !== null ? [reference('idempotencyKey')] : []),
  ];
}

/** Business events and texts have no fields that could be ignored. */
function takesPrefer({ body, bodyType, eventTypes }: Route): boolean {
  return body !== undefined && bodyType === 'application/json' && !eventTypes;
}

function queryParameters({ properties, required }: TObject): object[] {
  return Object.entries(properties).map(
    ([name, { description, examples: _, ...schema }]: [
      string,
      TSchema & { description?: string; examples?: unknown },
    ]) => ({
      name,
      in: 'query',
      required: (required as readonly string[] | undefined)?.includes(name) ?? false,
      description,
      schema,
      example: buildExample(properties[name] as TSchema),
    }),
  );
}

/** Returns the filterable fields of a list, none for a search, and undefined for other routes. */
function findListPaths(row: Route): Paths | undefined {
  const item = row.method === 'GET' ? getItemSchema(row) : undefined;
  const paths = item && findPaths(item);
  return paths && row.query ? new Map() : paths;
}

function getItemSchema({ answer }: Route): TSchema | undefined {
  return ((answer ?? {}) as { items?: TSchema }).items;
}

function requestBody(row: Route, schema: TSchema, { refer }: NamedSchemas): object {
  const build = row.method === 'PATCH' ? buildPartialExample : buildExample;
  const plain = {
    schema: refer(schema),
    examples: BODY_EXAMPLES[`${row.method} ${row.path}`] ?? { example: { value: build(schema) } },
  };
  const others = Object.entries(row.eventTypes ?? {}).map(([type, other]): [string, object] => {
    const examples = BODY_EXAMPLES[`${row.method} ${row.path} ${type}`];
    const example = { value: buildExample(other) };
    return [type, { schema: refer(other), examples: examples ?? { example } }];
  });
  // In POST /events, only a CloudEvent can name the event type.
  const named = others.filter(([type]) => row.path !== '/events' || type.includes('cloudevents'));
  const content = Object.fromEntries(row.path === '/events' ? named : [[row.bodyType, plain], ...named]);
  return { required: !row.bodyIsOptional, description: row.eventTypes && EVENT_BODY, content };
}

function buildFileBody({ refer }: NamedSchemas): object {
  return {
    required: true,
    description: 'The file with any content type, or a form with the file. The bytes determine the type.',
    content: {
      'application/octet-stream': { schema: BINARY, examples: { example: { value: 'The bytes.' } } },
      'multipart/form-data': {
        schema: refer(fileForm),
        examples: { example: { value: buildExample(fileForm) } },
      },
    },
  };
}

/**
 * The document does not list these media types: most code generators would create a method for
 * each.
 */
const EVENT_BODY =
  'JSON may also be sent as `text/json` or any `+json`. With `text/plain`, `application/octet-stream`, `binary/octet-stream` or no type, ' +
  'the body is JSON or a form. A CloudEvent in binary form has its attributes in headers that begin with `ce-` and its data in the body.';

function buildSuccessResponse(row: Route, status: number, { refer, showsRecord }: NamedSchemas): object {
  const headers: HeaderName[] = [
    ...(showsRecord(row) ? (['ETag'] as const) : []),
    ...(findListPaths(row) ? PAGING : []),
    ...(status === 201 ? (['Location'] as const) : []),
    ...(row.creates ? (['Idempotent-Replayed'] as const) : []),
    ...(row.body ? (['X-Ignored-Fields', 'X-Hint'] as const) : []),
    ...(takesPrefer(row) ? (['Preference-Applied'] as const) : []),
  ];
  const content = row.answer && {
    [row.answerType]: { schema: refer(row.answer), example: buildExample(row.answer) },
  };
  return { description: SUCCESS[status] ?? 'Done.', headers: buildHeaderRefs(headers), content };
}

const SUCCESS: Record<number, string> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted for processing.',
  204: 'Done. The response has no body.',
};

const NOT_MODIFIED = { description: 'The cached record is current.', headers: buildHeaderRefs(['ETag']) };

const DESCRIPTION = `Conversations between contacts and the agents, bots and systems of organizations.

**Lists.** \`limit\`, \`offset\`, \`sort\`, \`select\` and \`populate\` are reserved. Any other parameter filters by the field of that name. A
parameter must not be repeated.

| filter | written |
|---|---|
| equal, not equal | \`field=value\`, \`field=!=value\` |
| present, absent | \`field=\`, \`field=!\` |
| compared | \`field=>v\`, \`field=>=v\`, \`field=<v\`, \`field=<=v\` |
| between | \`field=>v1,<=v2\` |
| one of, none of | \`field=[a,b]\`, \`field=![a,b]\` |
| matching (RE2) | \`field=~pattern\` |
| a list member matches all conditions | \`field={k=v;k2=v2}\` |
| any of several fields matches | \`f1,f2=value\` |

Times are ISO 8601. A time without offset is UTC. Ids are 24 hexadecimal digits.

**Caching.** A single record has an \`ETag\`. \`If-None-Match\` returns 304 while the tag is current. A \`PATCH\` or \`DELETE\` with
\`If-Match\` takes effect only while the tag is current, and else returns 412. Responses of 1 KiB and more are compressed
if the client accepts it, except responses with a secret.

**Errors** have one shape, with a \`code\` from a closed list. **Requests** that create accept an \`Idempotency-Key\`.
`;

/** Serves `/openapi.json`, `/docs` and `/llms.txt` (spec 1.5). */
export function documentation(publicUrl: string): Middleware<RequestState> {
  const description: ServedFile = {
    type: 'application/json',
    read: () => JSON.stringify(openApi(ROUTES, publicUrl)),
  };
  const served = [['/openapi.json', description] as const, ...guidePages(publicUrl, listOperations)];
  const answers = served.map(([path, { type, read }]): [string, AnswerPath] => {
    let asset: { content: Buffer; etag: string } | undefined;
    return [
      path,
      (ctx) => {
        asset ??= tagged(read());
        ctx.type = type;
        ctx.set('ETag', asset.etag);
        ctx.body = asset.content;
      },
    ];
  });
  const paths = new Map(answers);
  const open = openPaths(paths);
  return async (ctx, next) => {
    const isMistyped = ctx.path.startsWith('/docs/') && !paths.has(ctx.path.replace(/\/$/, ''));
    // Programs get the error as JSON.
    if (isMistyped && ctx.accepts('json', 'html') === 'html') ctx.path = MISSING_GUIDE;
    await open(ctx, next);
    if (ctx.path === MISSING_GUIDE) ctx.status = 404;
  };
}

function listOperations(): ListedOperation[] {
  const paths = buildPathItems(ROUTES, nameSchemas(ROUTES));
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([
        method,
        {
          tags: [tag = ''],
          summary,
        },
      ]) => ({
        tag,
        method: method.toUpperCase(),
        path,
        summary,
      }),
    ),
  );
}

function tagged(asset: string | Buffer): { content: Buffer; etag: string } {
  const content = Buffer.from(asset);
  return { content, etag: computeEtag(content) };
}
