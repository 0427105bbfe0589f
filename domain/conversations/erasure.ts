import type { Erased } from './change.ts';
import type { Caller } from './caller.ts';
import { newConversation } from './conversation.ts';
import type { ConversationState } from './conversation.ts';

/**
 * The last change of a conversation, and what of its state its events are told from: who took part,
 * so that those hear who heard before, and nothing of what was said or known of the contact (spec
 * 5.8).
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
