import type { Principal } from '../../application/auth/principal.ts';
import { viewerMessage } from '../../domain/messages/chat-page-message.ts';
import type { ViewerMessage } from '../../domain/messages/chat-page-message.ts';
import { getVisibleAuthor } from '../../domain/messages/message-author.ts';
import { presentMessage } from '../../application/presenters/message.ts';
import { findPublicAuthor } from '../../store/accounts/authors-for-contacts.ts';
import type { ConversationRef } from '../../store/conversations/find-conversations.ts';
import type { TypingNow } from '../streams/audience.ts';
import type { MessageDocument } from '../../store/conversations/messages.ts';

/**
 * Whoever holds the key speaks as the contact, with the lowest scope (spec 10.1). A conversation
 * without one is spoken in by itself.
 */
export function buildContactPrincipal({ id, organization, contact = id }: ConversationRef): Principal {
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
export async function presentToContact(
  document: MessageDocument,
  publicUrl: string,
): Promise<ViewerMessage | null> {
  const { user, role } = document;
  const author = user === undefined || role === 'contact' ? null : await findPublicAuthor(user);
  return viewerMessage(presentMessage(document, publicUrl), getVisibleAuthor(role, author));
}

/** Somebody who is typing right now as the contact sees them; null for the contact themselves. */
export async function presentTypistToContact({ user, role, until }: TypingNow): Promise<object | null> {
  if (user === undefined || role === 'contact') return null;
  const author = getVisibleAuthor(role, await findPublicAuthor(user));
  return { role, until: until.toISOString(), ...(author ? { author } : {}) };
}
