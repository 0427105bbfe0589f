import type { Action, MessageItem, MessageType } from './message.ts';
import type { MessageView } from './view.ts';

/** Types of messages that a contact sees: what somebody says in the main thread. */
export const VIEWER_TYPES: readonly MessageType[] = ['chat', 'card', 'postback'];

/** `externalId`s of messages from the viewer page begin with this, so that a page never meets those of other senders. */
export const VIEWER_PREFIX = 'viewer:';

/** A message as the contact sees it: what is said, and nothing of who wrote it or how it is kept (contract 10). */
export type ViewerMessage = Pick<
  MessageView,
  'id' | 'slug' | 'sequence' | 'text' | 'type' | 'role' | 'contentType' | 'items' | 'actions'
> & {
  /** When it was said. */
  at: string;
  /** The name that the page gave it before it was accepted. */
  key?: string;
};

/** The contact's view of a message; null for one that is not meant for him. */
export function viewerMessage(message: MessageView): ViewerMessage | null {
  const { id, slug, sequence, type, role, contentType, items, actions, createdAt, processedAt } = message;
  if (message.isBackchannel || !VIEWER_TYPES.includes(type)) return null;
  const key = role === 'contact' ? viewerKey(message.externalId) : undefined;
  return {
    id,
    slug,
    text: shownText(message),
    type,
    at: processedAt ?? createdAt,
    ...(sequence === undefined ? {} : { sequence }),
    ...(role ? { role } : {}),
    ...(contentType ? { contentType } : {}),
    ...(items ? { items: items.map(shownItem) } : {}),
    ...(actions ? { actions: actions.map(shownAction) } : {}),
    ...(key === undefined ? {} : { key }),
  };
}

function viewerKey(externalId: string | undefined): string | undefined {
  return externalId?.startsWith(VIEWER_PREFIX) ? externalId.slice(VIEWER_PREFIX.length) : undefined;
}

/** A click says to people what the button said, not the payload behind it. */
function shownText({ type, text, meta }: MessageView): string {
  const label = meta?.['label'];
  return type === 'postback' && typeof label === 'string' && label !== '' ? label : text;
}

function shownItem({ actions, ...item }: MessageItem): MessageItem {
  return { ...item, ...(actions ? { actions: actions.map(shownAction) } : {}) };
}

function shownAction({ meta: _, ...action }: Action): Action {
  return action;
}
