import type { CountedMessage } from './bot-loop.ts';
import type {
  ConversationFields,
  ConversationForm,
  ConversationResult,
  ConversationStatus,
  Participant,
  Touchpoint,
} from './conversation.ts';
import type {
  Caller,
  MessageDraft,
  ProcessedMessage,
  Remaining,
  StoredMessage,
} from '../messages/message.ts';

export type SettableField = 'name' | 'category' | 'categoryIndex' | 'language' | 'team';

/** A change to fields. Its size does not depend on the conversation's size. */
export type Effect =
  | { kind: 'status'; status: ConversationStatus }
  | { kind: 'set'; field: SettableField; value: string | number | null }
  | { kind: 'meta'; key: string; value: unknown }
  | { kind: 'participant'; user: string; set: Partial<Participant> }
  | { kind: 'unread'; sender: string | null }
  | { kind: 'read'; user: string }
  | { kind: 'channels'; channels: string[]; channelsOffline: string[] }
  | { kind: 'touchpoint'; code: string; touchpoint: Touchpoint }
  | { kind: 'form'; form: ConversationForm }
  | { kind: 'formValue'; form: string; key: string; value: string | null }
  | { kind: 'formRemoved'; form: string }
  | { kind: 'result'; result: ConversationResult }
  | { kind: 'contact'; field: string; value: string | null }
  /** With `from`, a merge of contacts (spec 4.7): no effect unless the contact is `from`. */
  | { kind: 'owner'; contact: string; from?: string }
  /** The user may not answer any more (spec 4.10). */
  | { kind: 'left'; user: string }
  /** Unblocks a bot. Without `bot`: all bots. */
  | { kind: 'unblocked'; bot?: string }
  /** Makes a delayed message due. Without `message`: all. */
  | { kind: 'hurried'; message?: string }
  /** Without `until`: wakes the conversation. */
  | { kind: 'snooze'; until?: string; by?: string }
  | { kind: 'labels'; labels: string[] }
  | { kind: 'rating'; rating: number }
  | { kind: 'replace'; fields: Partial<ConversationFields>; clear: (keyof ConversationFields)[] };

interface Decided {
  /** Derived from the input, so equal for a repeated decision. */
  id: string;
  /** ISO 8601 UTC. */
  at: string;
}

export interface Created extends Decided {
  kind: 'created';
  by: string;
}

export interface Processed extends Decided {
  kind: 'processed';
  caller: Caller;
  message: ProcessedMessage;
  effects: Effect[];
  wasDelayed: boolean;
  /** Absent for a delayed message that is due: it was counted when posted. */
  counted?: CountedMessage | undefined;
}

export interface Delayed extends Decided {
  kind: 'delayed';
  caller: Caller;
  message: MessageDraft;
  dueAt: string;
  counted?: CountedMessage | undefined;
}

export interface Cancelled extends Decided {
  kind: 'cancelled';
}

/** The effects of a processed message's original content remain. */
export interface Edited extends Decided {
  kind: 'edited';
  caller: Caller;
  message: StoredMessage;
  /** The new due time of a message that waits, if the edit moved it. */
  dueAt?: string;
}

export interface Removed extends Decided {
  kind: 'removed';
  caller: Caller;
  message: ProcessedMessage;
  remaining?: Remaining;
}

/** Deletion of the conversation: the only change of the last commit. */
export interface Erased extends Decided {
  kind: 'erased';
  caller: Caller;
}

/** A change without a message: by PATCH, upsert or an operator. */
export interface Amended extends Decided {
  kind: 'amended';
  by: string;
  effects: Effect[];
}

/** A timer that is due. Its business event is posted outside the conversation (spec 14.3). */
export interface Timed extends Decided {
  kind: 'timed';
  timer: string;
  event: string;
  /** The bot that sends the event. */
  user: string;
  since: string;
  dueAt: string;
  /** The event is posted only if the contact has not read the replies since `since`. */
  ifUnread?: true;
}

export type Change = Created | Processed | Delayed | Cancelled | Edited | Removed | Amended | Erased | Timed;

export interface IncomingMessage {
  caller: Caller;
  draft: MessageDraft;
}

/** Returns the sender in the sense of spec 6. */
export function getSender({ caller, draft }: IncomingMessage): string {
  return draft.facts?.sender?.user ?? draft.user ?? caller.user;
}
