import type { Contact, Conversation, TimelineMessage } from '@parlance/client';
import { hasVisibleText, stripDirection } from '../../components/shown-text.ts';

type Participant = Conversation['participants'][number];

/** The contact and the participants' users are populated if the signed-in user may read them. */
export interface InboxConversation extends Omit<Conversation, 'contact' | 'participants'> {
  contact?: string | Pick<Contact, 'id' | 'profile'>;
  participants: PopulatedParticipant[];
}

interface PopulatedParticipant extends Omit<Participant, 'user'> {
  user: string | { id: string; name?: string; avatar?: string; status?: string };
}

export type { TimelineMessage };

export const LIST_SHAPE = {
  select: 'name,status,category,contact,participants,updatedAt,lastMessageAt',
  populate: 'contact:profile,participants.user:name',
};

export function getTitle({ name, contact }: Pick<InboxConversation, 'name' | 'contact'>): string {
  const profile = typeof contact === 'object' ? contact.profile : undefined;
  const full = [profile?.givenName, profile?.familyName].filter(Boolean).join(' ');
  const names = [name, profile?.name, full, profile?.email, profile?.telephone];
  return stripDirection(names.find((one) => one !== undefined && hasVisibleText(one)) ?? '');
}

export function getUserId(user: PopulatedParticipant['user']): string {
  return typeof user === 'string' ? user : user.id;
}

export function getUserName(user: PopulatedParticipant['user']): string {
  return typeof user === 'string' ? user : stripDirection(user.name ?? user.id);
}

export function getUnreadCount({ participants }: InboxConversation, user: string): number {
  return participants.find((one) => getUserId(one.user) === user)?.unreadCount ?? 0;
}
