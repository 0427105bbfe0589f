import type { MessageInput } from '../../domain/messages/draft.ts';
import type { MessageDraft } from '../../domain/messages/message.ts';
import { notFound } from '../../domain/refusal.ts';
import { findConversationRef } from '../../store/conversations/find-conversations.ts';
import type { PostingContext, PostingDeps } from './posting-context.ts';
import type { PostOutcome } from '../../workflows/client/conversations.ts';
import { draftMessages } from './draft-messages.ts';
import type { Posting } from './facts.ts';
import { postWithPayloads } from './payloads.ts';

/**
 * Messages that stand every check but those against the conversation's state, which its workflow
 * makes when they are posted.
 */
export interface PreparedMessages {
  drafts: MessageDraft[];
  posting: Posting;
  post: () => Promise<PostOutcome>;
}

/**
 * Prepares messages for a conversation that is there. Throws DomainError: `not_found` for a
 * conversation that the asker does not see, and what is wrong with the first message that is.
 * Nothing is stored before `post` is called.
 */
export async function prepareMessages(
  inputs: MessageInput[],
  {
    request,
    conversation,
    origin,
    deps,
  }: { request: PostingContext; conversation: string; deps: PostingDeps } & Pick<Posting, 'origin'>,
): Promise<PreparedMessages> {
  const place = await findConversationRef(request.principal.reach, conversation);
  if (!place) throw notFound('The conversation');
  const posting = { principal: request.principal, origin, place };
  const drafts = await draftMessages(inputs, { request, posting, deps });
  const post = () => postWithPayloads(drafts, { request, posting, deps });
  return { drafts, posting, post };
}
