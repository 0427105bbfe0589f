import type { ConversationState } from '../conversations/conversation.ts';

/** Of so many ids the names are shown. */
const MAX_NAMED = 50;

/**
 * The ids in a conversation whose names operators are shown: of its organization, its contact, its
 * participants, and of bots that wrote without taking part.
 */
export function labelIds({
  organization,
  contact,
  participants,
  loops,
}: Pick<ConversationState, 'organization' | 'contact' | 'participants' | 'loops'>): string[] {
  const users = [...participants.map(({ user }) => user), ...Object.keys(loops)];
  const ids = new Set([organization, ...(contact === undefined ? [] : [contact]), ...users]);
  return [...ids].slice(0, MAX_NAMED);
}
