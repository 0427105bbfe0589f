import type { Erased } from './change.ts';
import type { Caller } from './caller.ts';
import { newConversation } from './conversation.ts';
import type { ConversationState } from './conversation.ts';

/**
 * Returns the last change and the state for its events: with the participants, so that the same
 * services are notified, without messages and contact data (spec 5.8).
 */
export function erasure(
  state: ConversationState,
  { id, caller, now }: { id: string; caller: Caller; now: string },
): { base: ConversationState; changes: [Erased] } {
  const { slug, organization, contact, createdBy, createdAt, type, status } = state;
  const seed = { id: state.id, slug, organization, createdBy, createdAt, type, status };
  const { participants, version, sequence, eventSequence } = state;
  return {
    base: {
      ...newConversation(contact === undefined ? seed : { ...seed, contact }),
      participants,
      version,
      sequence,
      eventSequence,
    },
    changes: [{ kind: 'erased', id, at: now, caller }],
  };
}
