import type { MessageRole } from './message.ts';
import type { UserRole } from '../scope.ts';

/** Who wrote a message, as far as a contact is told (spec 10.7). */
export interface Author {
  name?: string;
  /** The address of a picture. */
  avatar?: string;
}

/**
 * The author to show for a message of this role by this user; undefined where the role is not one
 * that such a user speaks in: the name of an admin whose token an integration uses is not the
 * bot's.
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
 * How many messages the person of the other side who has read most has not read; undefined where
 * nobody has accepted the conversation. Bots read everything, which says nothing.
 */
export function countUnreadByPeople(participants: readonly ParticipantReadState[]): number | undefined {
  const people = participants.filter(
    ({ role, accepted }) => accepted && (role === 'agent' || role === 'admin'),
  );
  return people.length === 0 ? undefined : Math.min(...people.map(({ unreadCount }) => unreadCount));
}
