import { assertBoundedGrowth } from '../conversations/bounds.ts';
import type { Change } from '../conversations/change.ts';
import { assertCompatibleActions } from './actions-and-items.ts';
import type { ActionInput, ItemInput } from './actions-and-items.ts';
import type { ConversationState } from '../conversations/conversation.ts';
import { isPending } from '../conversations/decide.ts';
import type { Decision } from '../conversations/decide.ts';
import { buildContent, assertValidText } from './draft.ts';
import { applyEffects, evolve } from '../conversations/evolve.ts';
import { jsonBytes, assertValidMeta } from '../free-form.ts';
import { messageEffects } from '../effects/message-effects.ts';
import type {
  Caller,
  ContentType,
  MessageFacts,
  Meta,
  ProcessedMessage,
  Remaining,
  StoredMessage,
} from './message.ts';
import { DomainError, unprocessable } from '../errors.ts';
import { findDueTime } from './due-time.ts';
import type { Schedule } from './due-time.ts';
import { definedFields } from '../record-fields.ts';

/** The bound of a request body (spec 2.1). */
const MAX_MESSAGE_BYTES = 1024 * 1024;

/** Null clears a field (spec 6.3). */
export interface MessageEdit {
  text?: string;
  items?: ItemInput[] | null;
  actions?: ActionInput[] | null;
  meta?: Meta | null;
  /** Set by the service (spec 6.11). */
  contentType?: ContentType;
  /** When a message that waits is due. Parsed by `parseSchedule`. */
  schedule?: Schedule;
}

export interface MessageVersion {
  sequence?: number;
  /** Version of the conversation in which the message was last edited. */
  editedIn?: number;
}

export interface LoadedMessage {
  message: StoredMessage;
  remaining?: Remaining | undefined;
  /** Present only on a delayed message. */
  caller?: Caller | undefined;
  editedIn?: number | undefined;
}

/** Throws as for a new message, and `unprocessable` above 1 MiB. */
export function applyEdit<M extends StoredMessage>(message: M, edit: MessageEdit): M {
  const { text = message.text, items, actions, meta, contentType } = edit;
  assertValidText(text);
  if (meta) assertValidMeta(meta);
  const given = buildContent({ text, items, actions }, message.type);
  const edited = { ...message, text };
  for (const [field, value] of Object.entries({ items, actions, meta })) {
    if (value === null) Reflect.deleteProperty(edited, field);
  }
  Object.assign(edited, given, meta ? { meta } : {}, definedFields({ contentType }));
  if (edit.schedule && edited.sequence === undefined) {
    for (const field of ['delay', 'sendAt'] as const) Reflect.deleteProperty(edited, field);
    Object.assign(edited, edit.schedule);
  }
  if (jsonBytes(edited) > MAX_MESSAGE_BYTES) throw unprocessable('A message holds at most 1 MiB.');
  return edited;
}

export function assertCompatibleEdit(edited: StoredMessage, { items, actions }: MessageEdit): void {
  if (items !== undefined || actions !== undefined) assertCompatibleActions(edited);
}

export interface EditRequest {
  id: string;
  caller: Caller;
  stored: LoadedMessage;
  edit: MessageEdit;
  facts?: MessageFacts;
  now: string;
}

/** Keeps the effects of a processed message. Checks a delayed message again. */
export function decideEdit(
  state: ConversationState,
  { id, caller, stored, edit, facts, now }: EditRequest,
): Decision {
  const edited = applyEdit(stored.message, edit);
  // Another edit may have come after the API's check.
  assertCompatibleEdit(edited, edit);
  if (edited.sequence !== undefined) {
    if (edit.schedule && !isSameSchedule(edit.schedule, edited)) throw alreadyProcessed();
    return toDecision(state, { kind: 'edited', id, at: now, caller, message: edited });
  }
  if (!isPending(state, edited.id)) return { changes: [], state };
  const message = facts ? { ...edited, facts } : edited;
  if (changesContent(edit)) {
    const effects = messageEffects(state, { caller: stored.caller ?? caller, draft: message });
    assertBoundedGrowth(state, applyEffects(state, effects));
  }
  const dueAt = edit.schedule && (findDueTime(edited) ?? edited.createdAt);
  return toDecision(state, { kind: 'edited', id, at: now, caller, message, ...definedFields({ dueAt }) });
}

export function changesContent({ schedule: _, ...content }: MessageEdit): boolean {
  return Object.keys(content).length > 0;
}

/** The error of a change that only a waiting message can have, when it was processed first. */
export function alreadyProcessed(): DomainError {
  return new DomainError('conflict', 'The message has been processed already.');
}

/** A caller may send back the time that was read with the message. */
function isSameSchedule(given: Schedule, { delay, sendAt }: Schedule): boolean {
  return given.delay === delay && given.sendAt === sendAt;
}

interface RemovalRequest extends Pick<EditRequest, 'id' | 'caller' | 'now'> {
  message: ProcessedMessage;
  remaining?: Remaining | undefined;
}

export function decideRemoval(
  state: ConversationState,
  { id, caller, message, remaining, now }: RemovalRequest,
): Decision {
  return toDecision(state, {
    kind: 'removed',
    id,
    at: now,
    caller,
    message,
    ...definedFields({ remaining }),
  });
}

function toDecision(state: ConversationState, change: Change): Decision {
  return { changes: [change], state: evolve(state, change) };
}
