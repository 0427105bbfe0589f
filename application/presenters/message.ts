import { messageView } from '../../domain/events/view.ts';
import type { MessageView } from '../../domain/events/view.ts';
import type { MessageDocument } from '../../store/conversations/messages.ts';

/** A stored message as the API shows it (spec 6.1). */
export function presentMessage(document: MessageDocument, publicUrl: string): MessageView {
  const { _id, conversation, organization, contact, conversationSlug, ...message } = document;
  const { createdAt, updatedAt, processedAt } = message;
  const place = { id: conversation, slug: conversationSlug, organization, ...(contact ? { contact } : {}) };
  const times = {
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    processedAt: processedAt?.toISOString(),
  };
  return messageView({ ...message, id: _id, ...times }, place, publicUrl);
}
