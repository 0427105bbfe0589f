import type { Action, MessageItem, MessageType } from './message.ts';
import type { Author } from './message-author.ts';
import type { MessageView } from '../events/view.ts';

/** Types of messages that a contact sees: what somebody says in the main thread. */
export const VIEWER_TYPES: readonly MessageType[] = ['chat', 'card', 'postback'];

const EXTERNAL_ID = /^viewer(?:~\d+)?:([\s\S]*)$/;

/**
 * The `externalId` of a message that the viewer page gave a key. It keeps the page apart from other
 * senders; where one of them has used it all the same, the next of its names is taken (`taken`
 * counts those that are not the page's).
 */
export function viewerExternalId(key: string, taken = 0): string {
  return `viewer${taken === 0 ? '' : `~${taken}`}:${key}`;
}

/**
 * A message as the contact sees it: what is said, and nothing of who wrote it or how it is kept
 * (spec 10.1).
 */
export type ViewerMessage = Pick<
  MessageView,
  'id' | 'slug' | 'sequence' | 'text' | 'type' | 'role' | 'contentType' | 'items' | 'actions'
> & {
  /** When it was said. */
  at: string;
  /** Who wrote it, where they may be named. */
  author?: Author;
  /** The name that the page gave it before it was accepted. */
  key?: string;
};

/**
 * The contact's view of a message, by an author that they may know; null for one that is not meant
 * for them.
 */
export function viewerMessage(message: MessageView, author?: Author): ViewerMessage | null {
  const { id, slug, sequence, type, role, contentType, items, actions, createdAt, processedAt } = message;
  if (message.isBackchannel || !VIEWER_TYPES.includes(type)) return null;
  const key = role === 'contact' ? viewerKey(message.externalId) : undefined;
  return {
    id,
    slug,
    text: visibleText(message),
    type,
    at: processedAt ?? createdAt,
    ...(sequence === undefined ? {} : { sequence }),
    ...(role ? { role } : {}),
    ...(author ? { author } : {}),
    ...(contentType ? { contentType } : {}),
    ...(items ? { items: items.map(toVisibleItem) } : {}),
    ...(actions ? { actions: actions.map(toVisibleAction) } : {}),
    ...(key === undefined ? {} : { key }),
  };
}

function viewerKey(externalId: string | undefined): string | undefined {
  return EXTERNAL_ID.exec(externalId ?? '')?.[1];
}

/** A click says to people what the button said, not the payload behind it. */
function visibleText({ type, text, meta }: MessageView): string {
  const label = meta?.['label'];
  return type === 'postback' && typeof label === 'string' && label !== '' ? label : text;
}

function toVisibleItem({ actions, ...item }: MessageItem): MessageItem {
  return { ...item, ...(actions ? { actions: actions.map(toVisibleAction) } : {}) };
}

function toVisibleAction({ meta: _, ...action }: Action): Action {
  return action;
}
