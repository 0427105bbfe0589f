import { notFound } from '../../../domain/refusal.ts';
import { forgetConversationRef } from '../../../store/conversations/find-conversations.ts';
import { findErasable } from '../../../store/conversations/erase-conversation.ts';
import { withIfMatch } from '../../records/unless-changed.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';
import { conversationTarget } from './changing.ts';

/**
 * DELETE /conversations/{id}: the conversation, its contact, messages, deliveries and workflow
 * histories (spec 5.8). Asked again while it is under way, it waits for the end.
 */
export async function removeConversation(request: ApiRequest, api: Api): Promise<HandlerResult> {
  const { id } = request;
  const erased =
    request.ifMatch === ''
      ? await eraseConversation({ id }, request, api)
      : await withIfMatch(request, conversationTarget(request, api), ({ version }) =>
          eraseConversation({ id, ifVersion: version }, request, api),
        );
  if (!erased) throw notFound('The conversation');
  return { status: 204 };
}

/**
 * Whether there was such a conversation within the caller's reach. It is gone then, and its contact
 * with it. Throws DomainError `precondition_failed` where it is in another version than
 * `ifVersion`.
 */
export async function eraseConversation(
  { id, ifVersion }: { id: string; ifVersion?: number },
  { principal, ids }: ApiRequest,
  { temporal }: Api,
): Promise<boolean> {
  const conversation = await findErasable(principal.reach, id);
  if (conversation === null) return false;
  const { user, role } = principal;
  const caller = { user, role, origin: 'message' as const };
  const condition = ifVersion === undefined ? {} : { ifVersion };
  const erased = await temporal.conversations.erase({ id: ids.newId(), conversation, caller, ...condition });
  forgetConversationRef(conversation);
  return erased;
}
