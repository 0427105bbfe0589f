import type { Effect } from '../conversations/change.ts';
import type { NewConversation } from '../conversations/conversation.ts';
import type { ConflictingRecord, ErrorCode, ErrorDetail } from '../errors.ts';
import type { Caller, MessageDraft } from './message.ts';
import { parseExactJson } from '../exact-json.ts';
import { MAX_MESSAGES } from './message.ts';

export interface Post {
  caller: Caller;
  messages: MessageDraft[];
  /** Creates the conversation if it is not stored. */
  create?: NewConversation;
  /** Queues a closed conversation (spec 5.3). */
  reopen?: boolean;
  /** Changes by an upsert, before its messages. */
  amends?: Effect[];
  /** Id of the change by `amends`, the same when the request is repeated. */
  amendId?: string;
  /** Changes of the contact's profile by dotted path. */
  profile?: Record<string, string>;
  madeContact?: boolean;
}

/** Without `sequence` the message is delayed. */
export interface PostedMessage {
  /** The id of the stored message with this `externalId`, if there is one. */
  id: string;
  sequence?: number | undefined;
  processedAt?: string | undefined;
  /** The message was stored before. */
  known?: true;
  /** Fields that the carrier set (spec 15.2). */
  carried?: Pick<MessageDraft, 'service' | 'serviceType' | 'touchpoint' | 'delivery'>;
}

export interface Refusal {
  code: ErrorCode;
  message: string;
  details?: ErrorDetail[] | undefined;
  retryAfterSeconds?: number | undefined;
  conflict?: ConflictingRecord | undefined;
}

export type PostResult = { posted: PostedMessage[]; created?: true | undefined } | { refused: Refusal };

export interface RecentMessage {
  id: string;
  externalId?: string | undefined;
  sequence?: number | undefined;
  processedAt?: string | undefined;
}

export function payloadMessages(payload: string): Record<string, unknown>[] | null {
  if (!/^\s*[[{]/.test(payload)) return null;
  const messages = [parsePayload(payload)].flat();
  if (messages.length < 1 || messages.length > MAX_MESSAGES) return null;
  return messages.every(isMessage) ? messages : null;
}

/** Returns null also for a number that would lose digits. */
function parsePayload(payload: string): unknown {
  try {
    return parseExactJson(payload);
  } catch {
    return null;
  }
}

function isMessage(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string';
}
