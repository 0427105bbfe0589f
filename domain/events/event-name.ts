import type { Change, Effect } from '../conversations/change.ts';
import type { ConversationState } from '../conversations/conversation.ts';
import type { StoredMessage } from '../messages/message.ts';

/**
 * One thing that happened, as webhooks tell it (spec 7). `name` is the event without the role;
 * `role` is what a subscription's fifth word is compared with.
 */
export interface EventName {
  name: string;
  /**
   * Of events of a conversation itself: its type, which a pattern may add as third word (spec 7.4).
   */
  conversationType?: string;
  role?: string;
}

/**
 * The events that a change causes, in order. Depends on the change and the conversation's type and
 * contact alone, so that the workflow can number events without building their bodies: the n-th
 * name belongs to the event `<change id>-<n>`.
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
    // Nobody hears of a message before it is processed (spec 6).
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

// Unread counts change with every message that is spoken: its own event says so already.
function updateEventNames(effects: Effect[], { type }: Pick<ConversationState, 'type'>): EventName[] {
  const contact = effects.some(({ kind }) => kind === 'contact');
  const other = effects.some(({ kind }) => kind !== 'contact' && kind !== 'unread');
  return [
    ...(other ? [{ name: 'conversation.update', conversationType: type }] : []),
    ...(contact ? [{ name: 'contact.update' }] : []),
  ];
}
/**
 * The id of the `number`-th event of a change, counted from 1 (spec 7.6). Made again from the same
 * change it is the same, so that an event which is stored twice is one.
 */
export function eventId(change: string, number = 1): string {
  return `${change}-${number}`;
}
