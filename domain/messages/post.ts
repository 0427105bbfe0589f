import type { Effect } from '../conversations/change.ts';
import type { Caller } from '../conversations/caller.ts';
import type { NewConversation } from '../conversations/conversation.ts';
import type { ErrorCode, ErrorDetail } from '../errors.ts';
import type { MessageDraft } from './message.ts';
import { MAX_MESSAGES } from './message.ts';

/** What one request wants to post into one conversation: all of it is admitted, or none. */
export interface Post {
  caller: Caller;
  messages: MessageDraft[];
  /** Present when the conversation may not exist yet: it is made first, in the same commit. */
  create?: NewConversation;
  /** An upsert queues a closed conversation again (spec 5.3). */
  reopen?: boolean;
  /**
   * Changes that an upsert makes to an existing conversation, stored in one commit with the
   * messages and before them. Only upserts have it.
   */
  amends?: Effect[];
  /** The same of the contact's profile, by dotted path. */
  profile?: Record<string, string>;
  /** It made the contact: its profile is the contact's already, unless others come between. */
  madeContact?: boolean;
}

/** What became of one message. Without `sequence` it waits for its time. */
export interface PostedMessage {
  /** Differs from the draft's id when its `externalId` was known already. */
  id: string;
  sequence?: number;
  processedAt?: string;
  /** It was stored before: under this id (a retry of the request) or with this `externalId`. */
  known?: true;
}

export interface Refusal {
  code: ErrorCode;
  message: string;
  details?: ErrorDetail[];
  retryAfterSeconds?: number;
}

export type PostResult = { posted: PostedMessage[]; created?: true } | { refused: Refusal };

/**
 * A message that was stored lately: how a retry, or a second message with the same `externalId`, is
 * recognised.
 */
export interface RecentMessage {
  id: string;
  externalId?: string;
  sequence?: number;
  processedAt?: string;
}

/**
 * The messages that a button's payload consists of: it is the JSON of a message or of 1 to 100 of
 * them (spec 6.1). Null if it is anything else, which is no fault. They are nobody's checked input:
 * the caller checks them like a request body.
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
