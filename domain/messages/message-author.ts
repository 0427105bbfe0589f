import type { MessageRole } from './message.ts';
import type { UserRole } from '../scope.ts';

/** An author as contacts see them (spec 10.7). */
export interface Author {
  name?: string;
  avatar?: string;
}

/**
 * Returns undefined if the roles differ: an integration may post as a bot with an admin's token,
 * whose name must stay hidden.
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
 * Returns the lowest unread count of the agents and admins who accepted, undefined without any.
 * Bots read every message at once.
 */
export function countUnreadByPeople(participants: readonly ParticipantReadState[]): number | undefined {
  const people = participants.filter(
    ({ role, accepted }) => accepted && (role === 'agent' || role === 'admin'),
  );
  return people.length === 0 ? undefined : Math.min(...people.map(({ unreadCount }) => unreadCount));
}
