import type { Static } from 'typebox';
import Type from 'typebox';
import { VIEWER_TYPES } from '../../domain/messages/chat-page-message.ts';
import { storeDate } from '../../store/cluster/clock.ts';
import { countUnread, noteContactRead, noteTyping } from '../../store/conversations/presences.ts';
import { findConversationVersions } from '../../store/conversations/stream.ts';
import type { HandlerResult, Api, OpenRequest } from '../request.ts';
import { typingUntil } from '../resources/conversations/typing.ts';
import type { typingInput } from '../resources/conversations/typing.ts';
import { resolveChatKey } from './place.ts';

export const readInput = Type.Object({
  /** Up to this message the contact has seen everything. */
  sequence: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
});

const NOTHING: HandlerResult = { status: 204 };

/** PUT /c/{slug}/read: the contact has read up to a message (spec 10.8). */
export async function putRead(
  request: OpenRequest<Static<typeof readInput>>,
  api: Api,
): Promise<HandlerResult> {
  const place = await resolveChatKey(request, api);
  if (place.kind === 'started') return NOTHING;
  const { id } = place.ref;
  const [head] = await findConversationVersions([id]);
  const sequence = Math.min(request.body.sequence, head?.sequence ?? 0);
  if (sequence > 0) await noteContactRead(id, sequence, storeDate());
  return NOTHING;
}

/** PUT /c/{slug}/typing: the contact is writing, or has stopped (spec 10.8). */
export async function putTyping(
  request: OpenRequest<Static<typeof typingInput>>,
  api: Api,
): Promise<HandlerResult> {
  const place = await resolveChatKey(request, api);
  if (place.kind === 'stored') {
    await noteTyping(place.ref.id, { role: 'contact', until: typingUntil(request.body) });
  }
  return NOTHING;
}

/**
 * GET /c/{slug}/unread: how many messages of others the contact has not read, at most 100 (spec
 * 13.1).
 */
export async function showUnread(request: OpenRequest, api: Api): Promise<HandlerResult> {
  const place = await resolveChatKey(request, api);
  const unread = place.kind === 'started' ? 0 : await countUnread(place.ref.id, VIEWER_TYPES);
  return { status: 200, headers: { 'Cache-Control': 'no-store' }, body: { unread } };
}
