import type { Caller, Effect } from './change.ts';
import type { ConversationState } from './conversation.ts';
import { SPOKEN_TYPES } from './message.ts';
import type { MessageDraft } from './message.ts';

/** A message about to be processed, and who posted it. */
export interface Arrival {
  caller: Caller;
  draft: MessageDraft;
}

/**
 * All that a message does to its conversation, in order: its sender joins, it changes the status, its type has its own effects,
 * others have one more to read (contract 5, 6).
 *
 * Throws DomainError `unprocessable` when the message makes no sense against the state.
 */
export function messageEffects(state: ConversationState, arrival: Arrival): Effect[] {
  return [...joining(state, arrival), ...statusEffects(state, arrival), ...unread(arrival)];
}

function joining(state: ConversationState, { draft }: Arrival): Effect[] {
  const sender = draft.facts?.sender;
  if (!sender || state.participants.some(({ user }) => user === sender.user)) return [];
  return [
    { kind: 'participant', user: sender.user, set: { organization: sender.organization, role: sender.role } },
  ];
}

function statusEffects(state: ConversationState, { draft }: Arrival): Effect[] {
  if (draft.role === 'contact' && state.status === 'closed') return [{ kind: 'status', status: 'queued' }];
  return [];
}

function unread({ draft }: Arrival): Effect[] {
  return SPOKEN_TYPES.includes(draft.type) ? [{ kind: 'unread', sender: draft.user ?? null }] : [];
}
