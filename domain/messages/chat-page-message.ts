import { readMedia } from '../files/media.ts';
import type { Media } from '../files/media.ts';
import type { Action, MessageItem, MessageRole, MessageType } from './message.ts';
import type { MessageView } from '../events/view.ts';
import type { OptionalFields } from '../record-fields.ts';
import type { UserRole } from '../scope.ts';

export const VIEWER_TYPES: readonly MessageType[] = ['chat', 'card', 'postback'];

const EXTERNAL_ID = /^viewer(?:~\d+)?:([\s\S]*)$/;

/**
 * Prefixes the key, to distinguish it from external ids of API callers. `taken`: number of ids for
 * this key that other authors use.
 */
export function viewerExternalId(key: string, taken = 0): string {
  return `viewer${taken === 0 ? '' : `~${taken}`}:${key}`;
}

/** An author as shown to contacts (spec 10.7). */
export interface Author {
  name?: string | undefined;
  avatar?: string | undefined;
}

/** A message as the contact sees it (spec 10.1). */
export type ViewerMessage = Pick<MessageView, 'id' | 'slug' | 'text' | 'type'> &
  OptionalFields<Pick<MessageView, 'sequence' | 'role' | 'contentType' | 'items' | 'actions'>> & {
    at: string;
    media?: Media | undefined;
    author?: Author | undefined;
    key?: string | undefined;
  };

export function viewerMessage(message: MessageView, author?: Author): ViewerMessage | null {
  const { id, slug, sequence, type, role, contentType, items, actions, createdAt, processedAt } = message;
  if (message.isBackchannel || !VIEWER_TYPES.includes(type)) return null;
  return {
    id,
    slug,
    text: visibleText(message),
    type,
    at: processedAt ?? createdAt,
    sequence,
    role,
    author,
    contentType,
    media: readMedia(message.meta),
    items: items?.map(toVisibleItem),
    actions: actions?.map(toVisibleAction),
    key: role === 'contact' ? EXTERNAL_ID.exec(message.externalId ?? '')?.[1] : undefined,
  };
}

/** Returns the label of a clicked button, not its payload. */
function visibleText({ type, text, meta }: MessageView): string {
  const label = meta?.['label'];
  return type === 'postback' && typeof label === 'string' && label !== '' ? label : text;
}

function toVisibleItem({ actions, ...item }: MessageItem): MessageItem {
  return { ...item, actions: actions?.map(toVisibleAction) };
}

function toVisibleAction({ meta: _, ...action }: Action): Action {
  return action;
}

/**
 * Returns undefined if the roles of message and user differ: an admin whose token a bot uses must
 * stay hidden.
 */
export function getVisibleAuthor(
  role: MessageRole | undefined,
  user: (Author & { role: UserRole }) | null,
): Author | undefined {
  if (!user || role !== (user.role === 'bot' ? 'bot' : 'agent')) return undefined;
  const { name, avatar } = user;
  return name === undefined && avatar === undefined ? undefined : { name, avatar };
}

interface ParticipantReadState {
  role?: string;
  accepted?: boolean;
  unreadCount: number;
}

/**
 * Returns the lowest unread count of the agents and admins who accepted the conversation. Bots do
 * not count: they read every message at once.
 */
export function countUnreadByPeople(participants: readonly ParticipantReadState[]): number | undefined {
  const people = participants.filter(
    ({ role, accepted }) => accepted && (role === 'agent' || role === 'admin'),
  );
  return people.length === 0 ? undefined : Math.min(...people.map(({ unreadCount }) => unreadCount));
}
