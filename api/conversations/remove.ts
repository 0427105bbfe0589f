import { notFound } from '../../domain/refusal.ts';
import { forgetPlace } from '../../store/find-conversations.ts';
import { findErasable } from '../../store/erase-conversation.ts';
import type { Answer, Api, ApiRequest } from '../request.ts';

/**
 * DELETE /conversations/{id}: the conversation, its contact, messages, deliveries and workflow histories (contract 5). Asked again while it
 * is under way, it waits for the end.
 */
export async function removeConversation(request: ApiRequest, api: Api): Promise<Answer> {
  if (!(await eraseConversation(request.params['id'] ?? '', request, api)))
    throw notFound('The conversation');
  return { status: 204 };
}

/** Whether there was such a conversation within the caller's reach. It is gone then, and its contact with it. */
export async function eraseConversation(
  id: string,
  { principal, mint }: ApiRequest,
  { temporal }: Api,
): Promise<boolean> {
  const conversation = await findErasable(principal.reach, id);
  if (conversation === null) return false;
  const { user, role } = principal;
  const caller = { user, role, origin: 'message' as const };
  const erased = await temporal.conversations.erase({ id: mint.id(), conversation, caller });
  forgetPlace(conversation);
  return erased;
}
