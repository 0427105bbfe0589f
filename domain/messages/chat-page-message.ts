import type { Action, MessageItem, MessageType } from './message.ts';
import type { Author } from './message-author.ts';
import type { MessageView } from '../events/view.ts';

export const VIEWER_TYPES: readonly MessageType[] = ['chat', 'card', 'postback'];

const EXTERNAL_ID = /^viewer(?:~\d+)?:([\s\S]*)$/;

/**
 * Returns an id with a prefix that avoids collisions. `taken` counts names that other senders
 * already use.
 */
export function viewerExternalId(key: string, taken = 0): string {
  return `viewer${taken === 0 ? '' : `~${taken}`}:${key}`;
}

/** A message as the contact sees it (spec 10.1). */
export type ViewerMessage = Pick<
  MessageView,
  'id' | 'slug' | 'sequence' | 'text' | 'type' | 'role' | 'contentType' | 'items' | 'actions'
> & {
  at: string;
  author?: Author;
  key?: string;
};

/** Returns null if the contact may not see the message. */
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

/** Returns a button's label instead of its payload. */
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
