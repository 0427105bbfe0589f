import { pagePolicy } from '../../web/page-policy.ts';
import { consolePage } from '../../web/console-page.ts';
import type { HandlerResult, Api, OpenRequest } from '../request.ts';
import { findFirstPassword } from './first-password.ts';

/** GET /console: the page for those who run or staff the service (spec 12). */
export async function showConsole(request: OpenRequest, api: Api): Promise<HandlerResult> {
  const { config } = api;
  const first = await findFirstPassword(request, api);
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': first ? 'no-store' : 'no-cache',
      'Referrer-Policy': 'no-referrer',
      // Nobody frames the page; it frames the chat page.
      'Content-Security-Policy': pagePolicy(config.publicUrl, { frames: ["'self'"], framedBy: ["'none'"] }),
    },
    body: consolePage(first),
  };
}
