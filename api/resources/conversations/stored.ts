import type { PostedMessage } from '../../../domain/messages/post.ts';
import { notFound } from '../../../domain/refusal.ts';
import type { ConversationDocument } from '../../../store/conversations/conversations.ts';
import { findConversation } from '../../../store/conversations/find-conversations.ts';
import type { Api, ApiRequest } from '../../request.ts';
import { presentConversation } from '../../../application/presenters/conversation.ts';
import { presentConversations } from './present.ts';
import type { ShownConversation } from './present.ts';

/**
 * A conversation that was just written to, as it is stored now. `posted` is what this request
 * posted into it.
 */
export async function loadStoredView(
  { id, posted = [] }: { id: string; posted?: readonly PostedMessage[] },
  { principal }: Pick<ApiRequest, 'principal'>,
  { config: { publicUrl } }: Api,
): Promise<ShownConversation> {
  const { reach } = principal;
  const found = await findConversation(reach, id);
  if (!found) throw notFound('The conversation');
  if (containsOnly(found, posted)) {
    return {
      ...(await presentConversation(found, { reach, publicUrl })),
      messages: posted.map((one) => one.id),
    };
  }
  const [conversation] = await presentConversations([found], { reach, publicUrl });
  if (!conversation) throw notFound('The conversation');
  return conversation;
}

// After its first commit a conversation has the messages that were numbered in it: where these are
// all of them, nobody has to look.
function containsOnly(
  { version, sequence }: ConversationDocument,
  posted: readonly PostedMessage[],
): boolean {
  return version === 1 && sequence === posted.length && posted.every((one, at) => one.sequence === at + 1);
}
