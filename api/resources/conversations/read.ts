import { notFound } from '../../../domain/refusal.ts';
import { findConversation } from '../../../store/conversations/find-conversations.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';

/** PUT /conversations/{id}/read: the caller has read everything (spec 5.2). */
export async function readConversation(
  { principal, id, ids }: ApiRequest,
  { temporal }: Api,
): Promise<HandlerResult> {
  const found = await findConversation(principal.reach, id);
  if (!found) throw notFound('The conversation');
  const { user } = principal;
  const unread = found.participants.some((one) => one.user === user && one.unreadCount > 0);
  if (unread) {
    const effects = [{ kind: 'read' as const, user }];
    await temporal.conversations.amend(found._id, { id: ids.newId(), by: user, effects });
  }
  return { status: 204 };
}
