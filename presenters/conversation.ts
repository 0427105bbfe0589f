import { conversationView } from '../domain/events/view.ts';
import type { ConversationView } from '../domain/events/view.ts';
import type { ConversationDocument } from '../store/conversations/conversations.ts';

/** A stored conversation without the ids of its messages, as events show it (spec 7.6). */
export function presentConversation(document: ConversationDocument, publicUrl: string): ConversationView {
  const { _id, createdAt, updatedAt, results, ...state } = document;
  return conversationView(
    { ...state, id: _id, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() },
    { publicUrl, results },
  );
}
