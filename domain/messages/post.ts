import type { Effect } from '../conversations/change.ts';
import type { Caller } from '../conversations/caller.ts';
import type { NewConversation } from '../conversations/conversation.ts';
import type { ErrorCode, ErrorDetail } from '../errors.ts';
import type { MessageDraft } from './message.ts';
import { MAX_MESSAGES } from './message.ts';

/** One request to a conversation: all of it is accepted, or none. */
export interface Post {
  caller: Caller;
  messages: MessageDraft[];
  /** Creates the conversation if it does not exist, in the same commit. */
  create?: NewConversation;
  /** Queues a closed conversation again (spec 5.3). Set by upserts. */
  reopen?: boolean;
  /**
   * Changes that an upsert makes to an existing conversation, before its messages and in the same
   * commit.
   */
  amends?: Effect[];
  /** Changes that an upsert makes to the contact's profile, by dotted path. */
  profile?: Record<string, string>;
  /** The request created the contact, with this profile. */
  madeContact?: boolean;
}

/** Result for one message. Without `sequence` the message is delayed. */
export interface PostedMessage {
  /** Differs from the draft's id if the `externalId` was already stored. */
  id: string;
  sequence?: number;
  processedAt?: string;
  /** The message was stored before, with this id (a retry) or this `externalId`. */
  known?: true;
}

export interface Refusal {
  code: ErrorCode;
  message: string;
  details?: ErrorDetail[];
  retryAfterSeconds?: number;
}

export type PostResult = { posted: PostedMessage[]; created?: true } | { refused: Refusal };

/** A recently stored message, kept to recognise retries and repeated external ids. */
export interface RecentMessage {
  id: string;
  externalId?: string;
  sequence?: number;
  processedAt?: string;
}

/**
 * Returns the messages in a button's payload if it is the JSON of a message or of 1 to 100 messages
 * (spec 6.1), else null. The messages are unchecked input.
 */
export function payloadMessages(payload: string): Record<string, unknown>[] | null {
  if (!/^\s*[[{]/.test(payload)) return null;
  const parsed = parsedOrNull(payload);
  const messages: unknown[] = Array.isArray(parsed) ? parsed : [parsed];
  if (messages.length < 1 || messages.length > MAX_MESSAGES) return null;
  return messages.every(isMessage) ? messages : null;
}

function parsedOrNull(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

function isMessage(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string';
}
