import type { ConversationResult, ConversationState } from '../conversations/conversation.ts';
import type { MessageDraft } from '../messages/message.ts';

/** A conversation as the API and webhooks show it (spec 5.1), without its list of messages. */
export type ConversationView = Omit<
  ConversationState,
  'version' | 'sequence' | 'eventSequence' | 'pending' | 'loops'
> & { url: string; results: ConversationResult[] };

/** A message as the API and webhooks show it (spec 6.1). */
export type MessageView = Omit<MessageDraft, 'facts'> & {
  organization: string;
  conversation: string;
  contact?: string;
  url: string;
  updatedAt: string;
  sequence?: number;
  processedAt?: string;
};

/** Viewer URL of a conversation (spec 5.1). */
export function conversationUrl(publicUrl: string, slug: string): string {
  return `${publicUrl}/c/${slug}`;
}

/** Viewer URL of a message: the conversation's, and the message's slug as fragment (spec 5.1). */
export function messageUrl(publicUrl: string, slugs: { conversation: string; message: string }): string {
  return `${conversationUrl(publicUrl, slugs.conversation)}#${slugs.message}`;
}

/** What the public may see of a conversation's state. */
export function conversationView(
  state: ConversationState,
  { publicUrl, results }: { publicUrl: string; results: ConversationResult[] },
): ConversationView {
  const { version, sequence, eventSequence, pending, loops, ...shown } = state;
  return { ...shown, url: conversationUrl(publicUrl, state.slug), results };
}

/** What the public may see of a message. `conversation` is the conversation it belongs to. */
export function messageView(
  message: Omit<MessageDraft, 'facts'> & { sequence?: number; processedAt?: string; updatedAt?: string },
  conversation: Pick<ConversationState, 'id' | 'slug' | 'organization' | 'contact'>,
  publicUrl: string,
): MessageView {
  const { id, organization, contact, slug } = conversation;
  return {
    ...message,
    organization,
    conversation: id,
    ...(contact ? { contact } : {}),
    url: messageUrl(publicUrl, { conversation: slug, message: message.slug }),
    updatedAt: message.updatedAt ?? message.processedAt ?? message.createdAt,
  };
}
