import type { Change, Effect } from '../conversations/change.ts';
import type { ConversationState } from '../conversations/conversation.ts';
import type { StoredMessage } from '../messages/message.ts';

/** The role matches only the fifth word of a pattern (spec 7). */
export interface EventName {
  name: string;
  /** Set only on conversation events. Matches the third word of a pattern (spec 7.4). */
  conversationType?: string;
  role?: string | undefined;
  /** The channel service that carries the created message. */
  carrier?: string | undefined;
}

/** Returns event names without bodies, so that the workflow can number events. */
export function eventNames(
  change: Change,
  conversation: Pick<ConversationState, 'type' | 'contact'>,
): EventName[] {
  switch (change.kind) {
    case 'created':
      return [{ name: 'conversation.create', conversationType: conversation.type }];
    case 'processed': {
      const { delivery } = change.message;
      const created = {
        ...messageEvent('create', change.message, conversation),
        ...(delivery && { carrier: delivery.service }),
      };
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
    case 'delayed':
    case 'cancelled':
    case 'timed':
      return [];
  }
}

function messageEvent(
  operation: 'create' | 'update' | 'delete',
  { type, role }: StoredMessage,
  conversation: Pick<ConversationState, 'type'>,
): EventName {
  return { name: `message.${operation}.${conversation.type}.${type}`, role };
}

// Unread counts change with `SPOKEN_TYPES` messages, which have their own event.
function updateEventNames(effects: Effect[], { type }: Pick<ConversationState, 'type'>): EventName[] {
  const contact = effects.some(({ kind }) => kind === 'contact');
  const other = effects.some(({ kind }) => kind !== 'contact' && kind !== 'unread');
  return [
    ...(other ? [{ name: 'conversation.update', conversationType: type }] : []),
    ...(contact ? [{ name: 'contact.update' }] : []),
  ];
}

/** Returns the stable id of a change's n-th event, from 1: an event stored twice is one event. */
export function eventId(change: string, number = 1): string {
  return `${change}-${number}`;
}
