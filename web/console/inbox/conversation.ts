import type { Contact, Conversation, Message, TimelineMessage } from '@parlance/client';
import { isInboxToRead as isToRead } from '../../../domain/conversations/conversation.ts';
import { joinWords } from '../language.ts';
import { INBOX_WORDS } from './texts.ts';
import { findText } from '../parts/refusals.ts';
import { TEXTS } from '../texts.ts';
import { hasVisibleText, stripDirection } from '../../components/shown-text.ts';

type Participant = Conversation['participants'][number];

/** The contact and the participants' users are populated if the signed-in user may read them. */
export interface InboxConversation extends Omit<Conversation, 'contact' | 'participants'> {
  contact?: string | Pick<Contact, 'id' | 'profile' | 'identities' | 'blocked'>;
  participants: PopulatedParticipant[];
}

interface PopulatedParticipant extends Omit<Participant, 'user'> {
  user: string | { id: string; name?: string; avatar?: string; status?: string };
}

export type { TimelineMessage };

export const LIST_SHAPE = {
  select:
    'name,status,category,contact,participants,touchpoints,createdAt,updatedAt,lastMessageAt,lastMessage,waitingSince,snoozedUntil,team,labels,rating',
  populate: 'contact:profile|blocked,participants.user:name|avatar',
};

/** Visitors without a name differ by city and time. */
export function getTitle({
  name,
  contact,
  createdAt,
}: Pick<InboxConversation, 'name' | 'contact' | 'createdAt'>): string {
  const profile = typeof contact === 'object' ? contact.profile : undefined;
  const full = [profile?.givenName, profile?.familyName].filter(Boolean).join(' ');
  const names = [name, profile?.name, full, profile?.email, profile?.telephone];
  const given = names.find((one) => one !== undefined && hasVisibleText(one));
  return given === undefined
    ? INBOX_WORDS.visitor(profile?.address?.['city'], createdAt)
    : stripDirection(given);
}

export function isContactBlocked({ contact }: Pick<InboxConversation, 'contact'>): boolean {
  return typeof contact === 'object' && contact.blocked === true;
}

export function getUserId(user: PopulatedParticipant['user']): string {
  return typeof user === 'string' ? user : user.id;
}

/** Returns who wrote the last message, and its text: `Grace: Good morning`. */
export function describeLastMessage({ lastMessage, participants }: InboxConversation): string {
  if (!lastMessage) return '';
  const said = describeContent(lastMessage);
  const author = nameAuthor(lastMessage, { participants });
  return author === undefined ? said : `${author}: ${said}`;
}

/** Returns undefined for a message of the contact. */
export function nameAuthor(
  { role, user }: Pick<TimelineMessage, 'role' | 'user'>,
  { participants }: Pick<InboxConversation, 'participants'>,
): string | undefined {
  if (role === 'contact') return undefined;
  const author = participants.find((one) => getUserId(one.user) === user);
  return author ? getUserName(author.user) : (TEXTS.roles[role ?? 'bot'] ?? '');
}

/** The text of a postback is a payload for a bot. */
export function describeContent({
  type,
  text,
  contentType,
}: NonNullable<Conversation['lastMessage']>): string {
  if (type === 'postback') return INBOX_WORDS.answerChosen;
  if (contentType?.startsWith('image/')) return INBOX_WORDS.picture;
  return contentType !== 'text/plain' && FILE_URL.test(text) ? INBOX_WORDS.file : stripDirection(text);
}

/** The address of an uploaded file (spec 6.11). */
const FILE_URL = /^https?:\/\/\S+\/f\/[\w-]{43}$/;

/** A user whom the reader may not see has no name. */
export function getUserName(user: PopulatedParticipant['user']): string {
  const name = typeof user === 'string' ? '' : stripDirection(user.name ?? '');
  return hasVisibleText(name) ? name : INBOX_WORDS.somebody;
}

/** Returns the users who have accepted the conversation, else the users to whom it is assigned. */
export function getAssignees({ participants }: InboxConversation): PopulatedParticipant[] {
  const accepted = participants.filter((one) => one.accepted);
  return accepted.length > 0 ? accepted : participants.filter(({ inbox }) => inbox);
}

/** Returns whether reading takes the conversation out of the user's inbox (spec 5.2). */
export function isInboxToRead({ participants }: InboxConversation, user: string): boolean {
  const flat = participants.map((one) => ({ ...one, user: getUserId(one.user) }));
  return isToRead({ participants: flat }, user);
}

export function joinNames(names: readonly string[]): string {
  return joinWords(names);
}

export function getUnreadCount({ participants }: InboxConversation, user: string): number {
  return participants.find((one) => getUserId(one.user) === user)?.unreadCount ?? 0;
}

/** Common codes have words. Other providers and adapters send their own words. */
export function describeFailure({ error }: Pick<NonNullable<Message['delivery']>, 'error'>): string {
  const { code = '', message = '' } = error ?? {};
  const known = INBOX_WORDS.failures[code];
  if (known !== undefined) return known;
  const words = findText('reasons', code) ?? message;
  return words === '' ? code : `${words} (${code})`;
}
