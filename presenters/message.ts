import { messageView } from '../domain/events/view.ts';
import type { MessageView } from '../domain/events/view.ts';
import type { MessageDocument } from '../store/conversations/messages.ts';

/** A stored message as the API shows it (spec 6.1). */
export function presentMessage(document: MessageDocument, publicUrl: string): MessageView {
  const { _id, conversation, organization, contact, conversationSlug, dueAt, delayed, editedIn, ...rest } =
    document;
  const { createdAt, updatedAt, processedAt, deletedAt, ...message } = rest;
  const place = { id: conversation, slug: conversationSlug, organization, ...(contact ? { contact } : {}) };
  return messageView(
    {
      id: _id,
      ...message,
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
      ...(processedAt ? { processedAt: processedAt.toISOString() } : {}),
    },
    place,
    publicUrl,
  );
}
