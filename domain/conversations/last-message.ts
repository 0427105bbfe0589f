import type { Change, Processed } from './change.ts';
import type { ConversationState } from './conversation.ts';
import { SPOKEN_TYPES } from '../messages/message.ts';
import type { StoredMessage } from '../messages/message.ts';
import { definedFields } from '../record-fields.ts';
import { shortenText } from '../strip-tags.ts';

/** The last message as a list of conversations shows it (spec 5.1). `text` is plain and short. */
export type LastMessage = Pick<StoredMessage, 'id' | 'type' | 'text' | 'isBackchannel'> &
  Partial<Pick<StoredMessage, 'role' | 'user' | 'contentType'>>;

export function summarizeMessage({
  id,
  type,
  text,
  isBackchannel,
  role,
  user,
  contentType,
}: LastMessage): LastMessage {
  const short = shortenText({ text, ...definedFields({ contentType }) });
  return { id, type, text: short, isBackchannel, ...definedFields({ role, user, contentType }) };
}

/** Returns undefined if the changes do not process a chat, card, postback or mention. */
export function findLastMessage(changes: readonly Change[]): LastMessage | undefined {
  const last = changes.findLast(
    (change): change is Processed =>
      change.kind === 'processed' && SPOKEN_TYPES.includes(change.message.type),
  );
  return last && summarizeMessage(last.message);
}

/**
 * Returns the begin of the contact's wait: for a reply, or in the queue. Undefined if the contact
 * does not wait.
 */
export function findWaitingSince({
  status,
  timing,
  snoozedUntil,
}: Pick<ConversationState, 'status' | 'timing' | 'snoozedUntil'>): string | undefined {
  if (status === 'closed' || snoozedUntil !== undefined) return undefined;
  return timing?.waiting ?? (status === 'queued' ? timing?.queued : undefined);
}
