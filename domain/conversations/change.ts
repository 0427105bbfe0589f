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

/** The text fields of a conversation that `/set` reaches. */
export type SettableField = 'name' | 'category' | 'categoryIndex' | 'language';

/**
 * One thing that a change does to the conversation or its contact. Effects are small whatever the
 * size of the conversation, so a batch of a hundred messages stays small too; `evolve` folds them
 * into the state.
 */
export type Effect =
  | { kind: 'status'; status: ConversationStatus }
  | { kind: 'set'; field: SettableField; value: string | number | null }
  | { kind: 'meta'; key: string; value: unknown }
  | { kind: 'participant'; user: string; set: Partial<Participant> }
  | { kind: 'unread'; sender: string | null }
  /** A participant has read everything; nothing for a user who takes no part. */
  | { kind: 'read'; user: string }
  | { kind: 'channels'; channels: string[]; channelsOffline: string[] }
  | { kind: 'touchpoint'; code: string; touchpoint: Touchpoint }
  | { kind: 'form'; form: ConversationForm }
  | { kind: 'formValue'; form: string; key: string; value: string | null }
  | { kind: 'formRemoved'; form: string }
  | { kind: 'result'; result: ConversationResult }
  | { kind: 'contact'; field: string; value: string | null }
  /** A conversation that has no contact has this one from now on. */
  | { kind: 'owner'; contact: string }
  /** A bot that a loop rule blocked may speak again; without `bot`, all of them. */
  | { kind: 'unblocked'; bot?: string }
  /** A delayed message is due at once; without `message`, all of them are. */
  | { kind: 'hurried'; message?: string }
  | { kind: 'replace'; fields: Partial<ConversationFields>; clear: (keyof ConversationFields)[] };

interface Decided {
  /**
   * The id of the message or, for other changes, one minted by the API: the same input always has
   * the same id.
   */
  id: string;
  /** When it was decided, ISO 8601 UTC. */
  at: string;
}

/** The conversation was created. Always the first change of its first commit. */
export interface Created extends Decided {
  kind: 'created';
  by: string;
}

/** A message got its place in the order, with all it does. */
export interface Processed extends Decided {
  kind: 'processed';
  caller: Caller;
  message: ProcessedMessage;
  effects: Effect[];
  /** True when it had been stored before, waiting for its time. */
  wasDelayed: boolean;
  /** A delayed message counts when it is posted, not again when it is due. */
  counted?: CountedMessage;
}

/** A message was accepted whose time has not come yet. */
export interface Delayed extends Decided {
  kind: 'delayed';
  caller: Caller;
  message: MessageDraft;
  dueAt: string;
  counted?: CountedMessage;
}

/** A delayed message was deleted before its time. */
export interface Cancelled extends Decided {
  kind: 'cancelled';
}

/** A stored message got another content. What its first content did stays done. */
export interface Edited extends Decided {
  kind: 'edited';
  caller: Caller;
  /** The whole message as it is then; without `sequence` it still waits for its time. */
  message: StoredMessage;
}

/** A processed message was deleted. Its number is not given again. */
export interface Removed extends Decided {
  kind: 'removed';
  caller: Caller;
  message: ProcessedMessage;
}

/**
 * The conversation was deleted, with its contact if it had one. Always the last change, and never
 * part of a commit with others.
 */
export interface Erased extends Decided {
  kind: 'erased';
  caller: Caller;
}

/**
 * The conversation was changed other than by a message: a repair by PATCH, a participant reading,
 * an upsert that queues it again.
 */
export interface Amended extends Decided {
  kind: 'amended';
  by: string;
  effects: Effect[];
}

/**
 * One decision of a conversation. A commit stores a list of them; rows and events follow from them
 * alone.
 */
export type Change = Created | Processed | Delayed | Cancelled | Edited | Removed | Amended | Erased;

/** A message about to be processed, and who posted it. */
export interface IncomingMessage {
  caller: Caller;
  draft: MessageDraft;
}

/** The user a message speaks for: what "the sender" means in the rules of spec 6. */
export function getSender({ caller, draft }: IncomingMessage): string {
  return draft.facts?.sender?.user ?? draft.user ?? caller.user;
}
