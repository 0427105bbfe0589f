import { getSender } from '../conversations/arrival.ts';
import type { IncomingMessage } from '../conversations/arrival.ts';
import type { Effect } from '../conversations/change.ts';
import { acceptEffects, commandEffects, statusEffect } from './command-effects.ts';
import type { ConversationState } from '../conversations/conversation.ts';
import { fieldEffects } from './field.ts';
import { formEffects } from './form.ts';
import { SPOKEN_TYPES } from '../messages/message.ts';
import { resultsEffects } from './results.ts';
import { touchpointEffects } from '../conversations/touchpoint.ts';

/**
 * All that a message does to its conversation, in order: its sender joins, it changes the status,
 * its type has its own effects, others have one more to read (spec 5.2).
 *
 * Throws DomainError when the message makes no sense against the state: `unprocessable`, or
 * `invalid_request` for a key that may not be named.
 */
export function messageEffects(state: ConversationState, arrival: IncomingMessage): Effect[] {
  return [
    ...joinEffects(state, arrival),
    ...statusEffects(state, arrival),
    ...typeEffects(state, arrival),
    ...touchpointEffects(state, arrival.draft),
    ...unreadEffects(arrival),
  ];
}

/**
 * What any message does whatever it says: never refused. All that is left of a delayed message
 * whose own effects no longer make sense.
 */
export function plainEffects(state: ConversationState, arrival: IncomingMessage): Effect[] {
  return [...joinEffects(state, arrival), ...statusEffects(state, arrival), ...unreadEffects(arrival)];
}

function isParticipant(state: ConversationState, user: string): boolean {
  return state.participants.some((participant) => participant.user === user);
}

function joinEffects(state: ConversationState, { draft }: IncomingMessage): Effect[] {
  const sender = draft.facts?.sender;
  if (!sender || isParticipant(state, sender.user)) return [];
  return [
    { kind: 'participant', user: sender.user, set: { organization: sender.organization, role: sender.role } },
  ];
}

function statusEffects(state: ConversationState, arrival: IncomingMessage): Effect[] {
  const { role, isBackchannel } = arrival.draft;
  if (role === 'contact' && state.status === 'closed') return statusEffect(state, 'queued');
  const sender = getSender(arrival);
  return role === 'agent' && !isBackchannel && !isParticipant(state, sender)
    ? acceptEffects(state, sender)
    : [];
}

function typeEffects(state: ConversationState, arrival: IncomingMessage): Effect[] {
  switch (arrival.draft.type) {
    case 'command':
      return commandEffects(state, arrival);
    case 'field':
      return fieldEffects(state, arrival.draft);
    case 'form':
      return formEffects(state, arrival.draft);
    case 'results':
      return resultsEffects(state, arrival.draft);
    default:
      return [];
  }
}

function unreadEffects({ draft }: IncomingMessage): Effect[] {
  return SPOKEN_TYPES.includes(draft.type) ? [{ kind: 'unread', sender: draft.user ?? null }] : [];
}
