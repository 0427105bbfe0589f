import type { Static } from 'typebox';
import type { HandlerResult, Api, OpenRequest } from '../request.ts';
import { findOfferedWidget } from './offered-widget.ts';
import { findChatTarget } from './place.ts';
import { createPendingChats } from './started-chat.ts';
import { countVisit } from './visit-limit.ts';
import { verifyVisitor } from './known-visitor.ts';
import type { startInput } from './known-visitor.ts';

/**
 * POST /c/{organization}/start: answers the key of a conversation: a new one, which is kept nowhere
 * until something is said in it, or that of a known visitor (spec 13.3, 13.4).
 */
export async function startChat(
  request: OpenRequest<Static<typeof startInput>>,
  api: Api,
): Promise<HandlerResult> {
  await countVisit('starts', request, api);
  await findOfferedWidget(request);
  const { organization = '' } = request.params;
  const known = await verifyVisitor(organization, request.body);
  const key = createPendingChats(api.config.authSecret).start({ organization, ...(known ? { known } : {}) });
  const place = known ? await findChatTarget({ params: { slug: key } }, api) : null;
  const slug = place?.kind === 'stored' ? place.ref.slug : key;
  return { status: 200, headers: { 'Cache-Control': 'no-store' }, body: { slug } };
}
