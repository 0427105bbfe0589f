import { assertBoundedGrowth } from '../conversations/bounds.ts';
import type { Change } from '../conversations/change.ts';
import type { Caller } from '../conversations/caller.ts';
import { assertCompatibleActions } from './actions-and-items.ts';
import type { ActionInput, ItemInput } from './actions-and-items.ts';
import type { ConversationState } from '../conversations/conversation.ts';
import type { Decision } from '../conversations/decide.ts';
import { buildContent, assertValidText } from './draft.ts';
import { applyEffects, evolve } from '../conversations/evolve.ts';
import { jsonBytes, assertValidMeta } from '../free-form.ts';
import { messageEffects } from '../effects/message-effects.ts';
import type { MessageFacts, Meta, ProcessedMessage, StoredMessage } from './message.ts';
import { unprocessable } from '../errors.ts';

/**
 * As large as a request body may be (spec 2.9): several edits must not add up to a message that
 * nothing can carry.
 */
const MAX_MESSAGE_BYTES = 1024 * 1024;

/**
 * What a PATCH changes of a message (spec 6.3): a value takes the place of the stored one, null
 * clears it.
 */
export interface MessageEdit {
  text?: string;
  items?: ItemInput[] | null;
  actions?: ActionInput[] | null;
  meta?: Meta | null;
}

/**
 * The version of a message that a conditional request saw: its number and the version of its last
 * edit, where it has them.
 */
export interface MessageVersion {
  sequence?: number;
  editedIn?: number;
}

/**
 * The message with another content. Refuses what a new message is refused for, by DomainError
 * `invalid_request` or `unprocessable`; also one that would be larger than 1 MiB as JSON.
 */
export function applyEdit<M extends StoredMessage>(message: M, edit: MessageEdit): M {
  const { text = message.text, items, actions, meta } = edit;
  assertValidText(text);
  if (meta) assertValidMeta(meta);
  const given = buildContent({ text, items: items ?? null, actions: actions ?? null }, message.type);
  const edited = { ...message, text };
  for (const [field, value] of Object.entries({ items, actions, meta })) {
    if (value === null) Reflect.deleteProperty(edited, field);
  }
  Object.assign(edited, given, meta ? { meta } : {});
  if (jsonBytes(edited) > MAX_MESSAGE_BYTES) throw unprocessable('A message holds at most 1 MiB.');
  return edited;
}

/**
 * Throws DomainError `unprocessable` where an edit and what it leaves of the message have actions
 * that cannot be combined (spec 6.2).
 */
export function assertCompatibleEdit(edited: StoredMessage, { items, actions }: MessageEdit): void {
  if (items !== undefined || actions !== undefined) assertCompatibleActions(edited);
}

/**
 * One edit of one message. `stored`: the message as it is, and who posted it where it still waits.
 */
export interface EditRequest {
  id: string;
  caller: Caller;
  stored: { message: StoredMessage; caller?: Caller };
  edit: MessageEdit;
  /** What the rules ask about the edited message, for one that still waits. */
  facts?: MessageFacts;
  now: string;
}

/**
 * Decides the new content of a stored message. What a processed one did stays done; one that still
 * waits is held against the rules again, as when it was posted. Throws DomainError as
 * `editedMessage`, `refuseMixingEdit` and `messageEffects` do.
 */
export function decideEdit(
  state: ConversationState,
  { id, caller, stored, edit, facts, now }: EditRequest,
): Decision {
  const edited = applyEdit(stored.message, edit);
  // The API checked against the message that it read: another edit may have come between.
  assertCompatibleEdit(edited, edit);
  if (edited.sequence !== undefined)
    return toDecision(state, { kind: 'edited', id, at: now, caller, message: edited });
  if (!state.pending.some((waiting) => waiting.id === edited.id)) return { changes: [], state };
  const message = facts ? { ...edited, facts } : edited;
  const effects = messageEffects(state, { caller: stored.caller ?? caller, draft: message });
  assertBoundedGrowth(state, applyEffects(state, effects));
  return toDecision(state, { kind: 'edited', id, at: now, caller, message });
}

/** Decides that a processed message is gone. */
export function decideRemoval(
  state: ConversationState,
  { id, caller, message, now }: { id: string; caller: Caller; message: ProcessedMessage; now: string },
): Decision {
  return toDecision(state, { kind: 'removed', id, at: now, caller, message });
}

function toDecision(state: ConversationState, change: Change): Decision {
  return { changes: [change], state: evolve(state, change) };
}
