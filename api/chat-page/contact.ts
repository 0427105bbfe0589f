import type { Principal } from '../../auth/principal.ts';
import { viewerMessage } from '../../domain/messages/chat-page-message.ts';
import type { ViewerMessage } from '../../domain/messages/chat-page-message.ts';
import { notFound } from '../../domain/refusal.ts';
import { presentMessage } from '../../presenters/message.ts';
import { findBySlug } from '../../store/conversations/find-conversations.ts';
import type { ConversationRef } from '../../store/conversations/find-conversations.ts';
import type { MessageDocument } from '../../store/conversations/messages.ts';

/**
 * The conversation whose key the path holds. Throws DomainError `not_found` where there is none.
 */
export async function placeOfSlug({ slug = '' }: Record<string, string>): Promise<ConversationRef> {
  const place = await findBySlug(slug);
  if (!place) throw notFound('The conversation');
  return place;
}

/**
 * Whoever holds the key speaks as the contact, with the lowest scope (spec 10.1). A conversation
 * without one is spoken in by itself.
 */
export function contactOf({ id, organization, contact = id }: ConversationRef): Principal {
  return {
    user: contact,
    isContact: true,
    organization,
    role: 'viewer',
    scope: 'guest',
    reach: { organization },
    credential: { family: 'viewer' },
  };
}

/** A stored message as the contact sees it; null for one that is not meant for them. */
export function presentToContact(document: MessageDocument, publicUrl: string): ViewerMessage | null {
  return viewerMessage(presentMessage(document, publicUrl));
}
