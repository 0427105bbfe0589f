import type { Change, Effect } from '../conversations/change.ts';
import type { ConversationState } from '../conversations/conversation.ts';
import type { StoredMessage } from '../messages/message.ts';

/** Without the role (spec 7), which the fifth word of a pattern matches. */
export interface EventName {
  name: string;
  /** On events of a conversation itself: the third word of a pattern (spec 7.4). */
  conversationType?: string;
  role?: string;
}

/**
 * Depends only on the change and the conversation's type and contact, so the workflow can number
 * events without bodies. The n-th name has id `<change id>-<n>`.
 */
export function eventNames(
  change: Change,
  conversation: Pick<ConversationState, 'type' | 'contact'>,
): EventName[] {
  switch (change.kind) {
    case 'created':
      return [{ name: 'conversation.create', conversationType: conversation.type }];
    case 'processed': {
      const created = messageEvent('create', change.message, conversation);
      return [created, ...updateEventNames(change.effects, conversation)];
    }
    case 'edited':
      return change.message.sequence === undefined
        ? []
        : [messageEvent('update', change.message, conversation)];
    case 'removed':
      return [messageEvent('delete', change.message, conversation)];
    case 'erased':
      return [
        { name: 'conversation.delete', conversationType: conversation.type },
        ...(conversation.contact ? [{ name: 'contact.delete' }] : []),
      ];
    case 'amended':
      return updateEventNames(change.effects, conversation);
    // No events before processing (spec 6).
    case 'delayed':
    case 'cancelled':
      return [];
  }
}

function messageEvent(
  operation: 'create' | 'update' | 'delete',
  { type, role }: StoredMessage,
  conversation: Pick<ConversationState, 'type'>,
): EventName {
  return { name: `message.${operation}.${conversation.type}.${type}`, ...(role ? { role } : {}) };
}

// `SPOKEN_TYPES` messages change unread counts; their own event suffices.
function updateEventNames(effects: Effect[], { type }: Pick<ConversationState, 'type'>): EventName[] {
  const contact = effects.some(({ kind }) => kind === 'contact');
  const other = effects.some(({ kind }) => kind !== 'contact' && kind !== 'unread');
  return [
    ...(other ? [{ name: 'conversation.update', conversationType: type }] : []),
    ...(contact ? [{ name: 'contact.update' }] : []),
  ];
}
/** Counted from 1 (spec 7.6). Stable: an event stored twice is one. */
export function eventId(change: string, number = 1): string {
  return `${change}-${number}`;
}
