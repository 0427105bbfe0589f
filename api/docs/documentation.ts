import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Middleware } from 'koa';
import { entityTag } from '../pipeline/etag.ts';
import { openPaths } from '../middleware/open-paths.ts';
import type { AnswerPath } from '../middleware/open-paths.ts';
import type { RequestState } from '../middleware/observe.ts';
import { ROUTES } from '../routes.ts';
import { openApi } from './openapi.ts';

/** The reference page's own files; the rest are those of swagger-ui. */
const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Parlance API</title>
    <link rel="stylesheet" href="/docs/swagger-ui.css">
  </head>
  <body>
    <div id="page"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/page.js"></script>
  </body>
</html>
`;
const SCRIPT = `window.ui = SwaggerUIBundle({ url: '/openapi.json', dom_id: '#page', deepLinking: true, persistAuthorization: true });\n`;

interface Asset {
  type: string;
  read: () => string | Buffer;
}

interface ReadAsset {
  content: Buffer;
  etag: string;
}

/**
 * `/openapi.json` and `/docs`, the API reference: made from the route table, and loading nothing
 * from elsewhere.
 */
export function documentation(): Middleware<RequestState> {
  const answers = [...assetsByPath()].map(([path, { type, read }]): [string, AnswerPath] => {
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

function assetsByPath(): Map<string, Asset> {
  const swagger = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const file = (name: string) => () => readFileSync(join(swagger, name));
  return new Map<string, Asset>([
    ['/openapi.json', { type: 'application/json', read: () => JSON.stringify(openApi(ROUTES)) }],
    ['/docs', { type: 'text/html', read: () => PAGE }],
    ['/docs/page.js', { type: 'text/javascript', read: () => SCRIPT }],
    ['/docs/swagger-ui.css', { type: 'text/css', read: file('swagger-ui.css') }],
    ['/docs/swagger-ui-bundle.js', { type: 'text/javascript', read: file('swagger-ui-bundle.js') }],
  ]);
}

function tagged(asset: string | Buffer): ReadAsset {
  const content = Buffer.from(asset);
  return { content, etag: entityTag(content) };
}

function once<T>(read: () => T): () => T {
  let value: { read: T } | undefined;
  return () => (value ??= { read: read() }).read;
}
