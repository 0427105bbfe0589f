import type { Caller } from './caller.ts';
import type { CountedMessage } from './bot-loop.ts';
import type {
  ConversationFields,
  ConversationForm,
  ConversationResult,
  ConversationStatus,
  Participant,
  Touchpoint,
} from './conversation.ts';
import type { MessageDraft, ProcessedMessage, StoredMessage } from '../messages/message.ts';

/** The fields of a conversation that `/set` can change. */
export type SettableField = 'name' | 'category' | 'categoryIndex' | 'language';

/**
 * One change to the conversation's or the contact's fields, applied by `evolve`. The size of an
 * effect does not depend on the size of the conversation, so large batches stay small.
 */
export type Effect =
  | { kind: 'status'; status: ConversationStatus }
  | { kind: 'set'; field: SettableField; value: string | number | null }
  | { kind: 'meta'; key: string; value: unknown }
  | { kind: 'participant'; user: string; set: Partial<Participant> }
  | { kind: 'unread'; sender: string | null }
  /** The participant has read all messages. No-op if the user is not a participant. */
  | { kind: 'read'; user: string }
  | { kind: 'channels'; channels: string[]; channelsOffline: string[] }
  | { kind: 'touchpoint'; code: string; touchpoint: Touchpoint }
  | { kind: 'form'; form: ConversationForm }
  | { kind: 'formValue'; form: string; key: string; value: string | null }
  | { kind: 'formRemoved'; form: string }
  | { kind: 'result'; result: ConversationResult }
  | { kind: 'contact'; field: string; value: string | null }
  /** Assigns the contact to a conversation without a contact. */
  | { kind: 'owner'; contact: string }
  /** Resets the loop counters of a bot, or of all bots. */
  | { kind: 'unblocked'; bot?: string }
  /** Makes a delayed message, or all of them, due now. */
  | { kind: 'hurried'; message?: string }
  | { kind: 'replace'; fields: Partial<ConversationFields>; clear: (keyof ConversationFields)[] };

interface Decided {
  /** Id of the message, or an id minted by the API. The same input always has the same id. */
  id: string;
  /** Time of the decision, ISO 8601 UTC. */
  at: string;
}

/** The conversation was created. Always the first change of its first commit. */
export interface Created extends Decided {
  kind: 'created';
  by: string;
}

/** A message got its sequence and its effects. */
export interface Processed extends Decided {
  kind: 'processed';
  caller: Caller;
  message: ProcessedMessage;
  effects: Effect[];
  /** The message was stored before as a delayed message. */
  wasDelayed: boolean;
  /** Absent for a due delayed message: it was counted when it was posted. */
  counted?: CountedMessage;
}

/** A message was accepted whose due time is in the future. */
export interface Delayed extends Decided {
  kind: 'delayed';
  caller: Caller;
  message: MessageDraft;
  dueAt: string;
  counted?: CountedMessage;
}

/** A delayed message was deleted before it was due. */
export interface Cancelled extends Decided {
  kind: 'cancelled';
}

/** A stored message was edited. The effects of its first content remain. */
export interface Edited extends Decided {
  kind: 'edited';
  caller: Caller;
  /** The whole message after the edit. Without `sequence` it is still delayed. */
  message: StoredMessage;
}

/** A processed message was deleted. Its sequence is not reused. */
export interface Removed extends Decided {
  kind: 'removed';
  caller: Caller;
  message: ProcessedMessage;
}

/**
 * The conversation was deleted, with its contact if it had one. Always the last change, alone in
 * its commit.
 */
export interface Erased extends Decided {
  kind: 'erased';
  caller: Caller;
}

/**
 * The conversation changed other than by a message: by a PATCH, a read participant or an upsert.
 */
export interface Amended extends Decided {
  kind: 'amended';
  by: string;
  effects: Effect[];
}

/**
 * One decision of a conversation. A commit stores a list of changes; its rows and events follow
 * from them alone.
 */
export type Change = Created | Processed | Delayed | Cancelled | Edited | Removed | Amended | Erased;

export interface IncomingMessage {
  caller: Caller;
  draft: MessageDraft;
}

/** Returns the user the message speaks for: "the sender" in the rules of spec 6. */
export function getSender({ caller, draft }: IncomingMessage): string {
  return draft.facts?.sender?.user ?? draft.user ?? caller.user;
}
