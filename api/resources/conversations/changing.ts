import type { ConversationDocument } from '../../../store/conversations/conversations.ts';
import { findConversation } from '../../../store/conversations/find-conversations.ts';
import type { EditTarget } from '../../records/unless-changed.ts';
import type { Api, ApiRequest } from '../../request.ts';
import { presentConversations } from './present.ts';

/** The conversation of a request's path, as it is seen by those who change it. */
export function conversationTarget(
  { principal, id }: Pick<ApiRequest, 'principal' | 'id'>,
  { config: { publicUrl } }: Api,
): EditTarget<ConversationDocument> {
  const { reach } = principal;
  return {
    what: 'The conversation',
    find: () => findConversation(reach, id),
    present: async (found) => (await presentConversations([found], { reach, publicUrl }))[0],
  };
}
