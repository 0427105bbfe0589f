import { Router } from '@koa/router';
import type { RequestState } from '../middleware/observe.ts';
import { pipelineOf } from '../pipeline/pipeline.ts';
import type { Api } from '../request.ts';
import { openRoute } from '../route.ts';
import type { Route } from '../route.ts';
import { showAsset } from './asset.ts';
import { showHome } from './home.ts';
import { showPage } from './page.ts';
import { postAsContact, viewerInput } from './post.ts';
import { readConversation } from './read.ts';
import { streamToContact } from './stream.ts';

/**
 * What people open in a browser, and what the contact's page asks for. Outside /v2: its slug is all
 * the key there is.
 */
export const PAGES: readonly Route[] = [
  openRoute('GET /', 'What runs here', showHome),
  openRoute('GET /viewer/:file', 'A file of the pages', showAsset),
  openRoute('GET /c/:slug', "The contact's page", showPage),
  openRoute('GET /c/:slug/messages', 'Read the main thread', readConversation),
  openRoute('POST /c/:slug/messages', 'Say something as the contact', postAsContact, { body: viewerInput }),
  openRoute('GET /c/:slug/stream', 'Hear what is said', streamToContact),
];

export function viewerRouter(api: Api): Router<RequestState> {
  const router = new Router<RequestState>({ sensitive: true });
  const gates = pipelineOf(api, PAGES);
  for (const row of PAGES) router.register(row.path, [row.method], gates(row));
  return router;
}
