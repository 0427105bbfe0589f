import type { MessageDraft } from '../../domain/messages/message.ts';
import type { PostedMessage } from '../../domain/messages/post.ts';
import { messageView } from '../../domain/events/view.ts';
import type { MessageView } from '../../domain/events/view.ts';
import type { ConversationRef } from '../../store/conversations/find-conversations.ts';
import { findMessages } from '../../store/conversations/find-messages.ts';
import { presentMessage } from './message.ts';

/**
 * The messages as they are answered: what was posted now from the drafts, what was known before
 * from the store.
 */
export async function presentPosted(
  posted: PostedMessage[],
  { drafts, place, publicUrl }: { drafts: MessageDraft[]; place: ConversationRef; publicUrl: string },
): Promise<MessageView[]> {
  const known = await findMessages(posted.filter((one) => one.known).map(({ id }) => id));
  const stored = new Map(known.map((document) => [document._id, presentMessage(document, publicUrl)]));
  return posted.map((one, at) => {
    const { sequence, processedAt } = one;
    const message = { ...(drafts[at] as MessageDraft), id: one.id, sequence, processedAt };
    return stored.get(one.id) ?? messageView(message, place, publicUrl);
  });
}
