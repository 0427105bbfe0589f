import { conversationPresenter } from '../../../application/presenters/conversation.ts';
import type { PresentationContext } from '../../../application/presenters/conversation.ts';
import type { ConversationView } from '../../../domain/events/view.ts';
import type { ConversationDocument } from '../../../store/conversations/conversations.ts';
import { MAX_SHOWN, processedIds } from '../../../store/conversations/processed-ids.ts';
import { inSlices } from '../../../store/queries/slices.ts';
import { createBoundedSum } from '../../listing/bounded-sum.ts';

/** With its quotes and its comma. */
const CHARACTERS_OF_ID = 27;

/** A conversation as the API shows it (spec 5.1). */
export type ShownConversation = ConversationView & { messages: readonly string[] };

/**
 * Stored conversations as the API shows them: with their viewer's url, and the ids of their
 * processed messages (spec 5.1). `withMessages: false` where nobody will see those. Throws
 * DomainError `invalid_request`, before it reads them, where there are more than an answer holds.
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
