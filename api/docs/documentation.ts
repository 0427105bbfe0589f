import type { Middleware } from 'koa';
import { guidePages } from '../../web/guide-pages.ts';
import type { ServedFile } from '../../web/guide-pages.ts';
import { computeEtag } from '../pipeline/etag.ts';
import { openPaths } from '../middleware/open-paths.ts';
import type { AnswerPath } from '../middleware/open-paths.ts';
import type { RequestState } from '../middleware/observe.ts';
import { ROUTES } from '../routes.ts';
import { openApi } from './openapi.ts';

interface ReadAsset {
  content: Buffer;
  etag: string;
}

/**
 * `/openapi.json`, made from the route table, and what there is to read at `/docs` and `/llms.txt`:
 * the reference and the guides, which load nothing from elsewhere (spec 1.5).
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
