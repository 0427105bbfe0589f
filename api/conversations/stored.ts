import { notFound } from '../../domain/refusal.ts';
import { findConversation } from '../../store/find-conversations.ts';
import type { Api, ApiRequest } from '../request.ts';
import { presentConversations } from './present.ts';
import type { ShownConversation } from './present.ts';

/** A conversation that was just written to, as it is stored now. */
export async function storedConversation(
  id: string,
  { principal }: Pick<ApiRequest, 'principal'>,
  { config }: Api,
): Promise<ShownConversation> {
  const found = await findConversation(principal.reach, id);
  const [conversation] = found ? await presentConversations([found], config) : [];
  if (!conversation) throw notFound('The conversation');
  return conversation;
}
