import type { Route } from '../route.ts';
import { HEADERS, buildHeaderRefs, PARAMETERS } from './parameters.ts';
import { buildOperation } from './operation.ts';
import { buildErrorResponses, buildErrorSchemas } from './error-responses.ts';
import { nameSchemas } from './schemas.ts';
import type { NamedSchemas } from './schemas.ts';
import { buildWebhooks } from './webhooks.ts';
import type { Middleware } from 'koa';
import { guidePages } from '../../web/guide-pages.ts';
import type { ServedFile } from '../../web/guide-pages.ts';
import { computeEtag } from '../pipeline/etag.ts';
import { openPaths } from '../middleware/open-paths.ts';
import type { AnswerPath } from '../middleware/open-paths.ts';
import type { RequestState } from '../middleware/observe.ts';
import { ROUTES } from '../routes.ts';

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
            "For a browser's EventSource, which cannot send a token: a ticket of POST /conversations/{id}/stream/ticket, good once, for a minute.",
        },
      },
      parameters: PARAMETERS,
      headers: HEADERS,
      schemas: { ...buildErrorSchemas(), ...schemas.components },
      responses: { NotModified: NOT_MODIFIED, ...buildErrorResponses() },
    },
  };
}

function buildPathItems(routes: readonly Route[], schemas: NamedSchemas): object {
  const paths: Record<string, Record<string, object>> = {};
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
 * Prefers a more specific name than `:id` for paths that differ only in parameter names: OpenAPI
 * treats them as equal.
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

/** Adds a route for `me` with its lower scope (spec 3). */
function expandSelfRoute(row: Route): Route[] {
  if (!row.self) return [row];
  return [row, { ...row, path: row.path.replace(':id', 'me'), scope: row.self, self: undefined }];
}

function buildTags(routes: readonly Route[]): object[] {
  const names = new Set(routes.map(({ path }) => path.split('/')[1] ?? ''));
  return [...names].map((name) => ({ name, description: `Everything below \`/${name}\`.` }));
}

const NOT_MODIFIED = { description: 'The caller has it as it is.', headers: buildHeaderRefs(['ETag']) };

const DESCRIPTION = `Conversations between contacts and the agents, bots and systems of organizations.

**Lists.** \`limit\`, \`offset\`, \`sort\`, \`select\` and \`populate\` are reserved; any other parameter filters by the field it names. No
parameter may be repeated.

| filter | written |
|---|---|
| equal, not equal | \`field=value\`, \`field=!=value\` |
| present, absent | \`field=\`, \`field=!\` |
| compared | \`field=>v\`, \`field=>=v\`, \`field=<v\`, \`field=<=v\` |
| between | \`field=>v1,<=v2\` |
| one of, none of | \`field=[a,b]\`, \`field=![a,b]\` |
| matching (RE2) | \`field=~pattern\` |
| a member of a list fulfils all | \`field={k=v;k2=v2}\` |
| any of several fields matches | \`f1,f2=value\` |

Times are ISO 8601, without offset UTC. Ids are 24 hexadecimal digits.

**Caching.** A single record has an \`ETag\`; \`If-None-Match\` with it is answered 304 while it holds, and a \`PATCH\` or \`DELETE\` with
\`If-Match\` is done only while it holds: else 412. Answers of 1 KiB and more are compressed where
the caller takes it, but for those that show a secret.

**Errors** have one shape; \`code\` is from a closed list. **Requests** that create take an \`Idempotency-Key\`.
`;

interface ReadAsset {
  content: Buffer;
  etag: string;
}

/**
 * Serves `/openapi.json`, `/docs` and `/llms.txt`, which load nothing from other servers
 * (spec 1.5).
 */
export function documentation(publicUrl: string): Middleware<RequestState> {
  const description: ServedFile = {
    type: 'application/json',
    read: () => JSON.stringify(openApi(ROUTES, publicUrl)),
  };
  const served = [['/openapi.json', description] as const, ...guidePages(publicUrl)];
  const answers = served.map(([path, { type, read }]): [string, AnswerPath] => {
    const asset = once(() => tagged(read()));
    return [
      path,
      (ctx) => {
        const { content, etag } = asset();
        ctx.type = type;
        ctx.set('ETag', etag);
        ctx.body = content;
      },
    ];
  });
  return openPaths(new Map(answers));
}

function tagged(asset: string | Buffer): ReadAsset {
  const content = Buffer.from(asset);
  return { content, etag: computeEtag(content) };
}

function once<T>(read: () => T): () => T {
  let value: { read: T } | undefined;
  return () => (value ??= { read: read() }).read;
}
