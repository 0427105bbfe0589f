import { notFound } from '../../domain/refusal.ts';
import { forgetPlace } from '../../store/find-conversations.ts';
import { findErasable } from '../../store/erase-conversation.ts';
import type { Answer, Api, ApiRequest } from '../request.ts';

/**
 * DELETE /conversations/{id}: the conversation, its contact, messages, deliveries and workflow histories (contract 5). Asked again while it
 * is under way, it waits for the end.
 */
export async function removeConversation(
  { principal, params, mint }: ApiRequest,
  { temporal }: Api,
): Promise<Answer> {
  const conversation = await findErasable(principal.reach, params['id'] ?? '');
  if (conversation === null) throw notFound('The conversation');
  const { user, role } = principal;
  const caller = { user, role, origin: 'message' as const };
  const erased = await temporal.conversations.erase({ id: mint.id(), conversation, caller });
  forgetPlace(conversation);
  if (!erased) throw notFound('The conversation');
  return { status: 204 };
}
