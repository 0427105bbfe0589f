import { conversationPresenter, presentConversation } from '../../../application/presenters/presenters.ts';
import type { PresentationContext } from '../../../application/presenters/presenters.ts';
import type { ConversationView } from '../../../domain/events/view.ts';
import type { ConversationDocument } from '../../../store/conversations/conversations.ts';
import { MAX_SHOWN, processedIds } from '../../../store/conversations/processed-messages.ts';
import { inSlices } from '../../../store/queries/slices.ts';
import { createBoundedSum } from '../../listing/bounded-sum.ts';
import type { PostedMessage } from '../../../domain/messages/post.ts';
import { notFound } from '../../../domain/errors.ts';
import { findConversation } from '../../../store/conversations/find-conversations.ts';
import type { Api, ApiRequest } from '../../request.ts';

const CHARACTERS_OF_ID = 27;

type ShownConversation = ConversationView & { messages: readonly string[] };

/**
 * Adds url and message ids (spec 5.1). Throws DomainError `invalid_request` for more ids than a
 * response may have.
 */
export async function presentConversations(
  documents: ConversationDocument[],
  { withMessages = true, ...reader }: PresentationContext & { withMessages?: boolean },
): Promise<ShownConversation[]> {
  const asked = withMessages ? documents : [];
  const sum = createBoundedSum('limit');
  for (const { sequence } of asked) sum.add(Math.min(sequence, MAX_SHOWN) * CHARACTERS_OF_ID);
  const ids = await processedIds(asked.map(({ _id, sequence }) => ({ id: _id, sequence })));
  const present = await conversationPresenter(documents, reader);
  return inSlices(documents, (document) => ({
    ...present(document),
    messages: ids.get(document._id) ?? [],
  }));
}

/** `posted`: the messages that this request posted. */
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

// Returns whether `posted` are all messages of a conversation at its first version.
function containsOnly(
  { version, sequence }: ConversationDocument,
  posted: readonly PostedMessage[],
): boolean {
  return version === 1 && sequence === posted.length && posted.every((one, at) => one.sequence === at + 1);
}
