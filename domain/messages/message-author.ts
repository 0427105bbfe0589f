import type { MessageRole } from './message.ts';
import type { UserRole } from '../scope.ts';

/** Author of a message as contacts see them (spec 10.7). */
export interface Author {
  name?: string;
  /** URL of a picture. */
  avatar?: string;
}

/**
 * Returns the author to show for a message, or undefined if the user's role does not match the
 * message's role. An integration may post as a bot with an admin's token: the admin's name must not
 * be shown.
 */
export function getVisibleAuthor(
  role: MessageRole | undefined,
  user: (Author & { role: UserRole }) | null,
): Author | undefined {
  if (!user) return undefined;
  const speaksAs = user.role === 'bot' ? 'bot' : 'agent';
  const { name, avatar } = user;
  if (role !== speaksAs || (name === undefined && avatar === undefined)) return undefined;
  return { ...(name === undefined ? {} : { name }), ...(avatar === undefined ? {} : { avatar }) };
}

interface ParticipantReadState {
  role?: string;
  accepted?: boolean;
  unreadCount: number;
}

/**
 * Returns the lowest unread count among agents and admins who accepted the conversation, or
 * undefined if nobody accepted it. Bots are excluded: they read every message at once.
 */
export function countUnreadByPeople(participants: readonly ParticipantReadState[]): number | undefined {
  const people = participants.filter(
    ({ role, accepted }) => accepted && (role === 'agent' || role === 'admin'),
  );
  return people.length === 0 ? undefined : Math.min(...people.map(({ unreadCount }) => unreadCount));
}
