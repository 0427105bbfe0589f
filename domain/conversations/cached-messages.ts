import type { Caller } from './caller.ts';
import type { Change } from './change.ts';
import { jsonBytes } from '../free-form.ts';
import type { MessageDraft } from '../messages/message.ts';
import type { RecentMessage } from '../messages/post.ts';
import type { ConversationResult } from './conversation.ts';


/** The content of a delayed message, and who posted it. */
export interface CachedMessage {
  caller: Caller;
  message: MessageDraft;
}

/**
 * Contents of delayed messages by id, as they were stored: a message whose content is held need not
 * be loaded when it is due. Bounded: what finds no room is loaded.
 */
export interface DelayedMessageCache {
  contents: Map<string, { waiting: CachedMessage; bytes: number }>;
  bytes: number;
}

/** Of a conversation. A worker keeps thousands of conversations at hand. */
const MAX_CACHED_BYTES = 32 * 1024;

/** Holds nothing yet. */
export function emptyDelayedMessageCache(): DelayedMessageCache {
  return { contents: new Map(), bytes: 0 };
}

/** Holds the delayed messages that stored changes accepted, as far as there is room. */
export function cacheDelayedMessages(held: DelayedMessageCache, changes: readonly Change[]): void {
  for (const change of changes) {
    if (change.kind !== 'delayed') continue;
    const waiting = { caller: change.caller, message: change.message };
    const bytes = jsonBytes(waiting);
    if (held.bytes + bytes > MAX_CACHED_BYTES) continue;
    held.contents.set(change.id, { waiting, bytes });
    held.bytes += bytes;
  }
}

/** Forgets what stored changes processed, cancelled or gave another content. */
export function evictDelayedMessages(held: DelayedMessageCache, changes: readonly Change[]): void {
  for (const change of changes) {
    const id = change.kind === 'edited' ? change.message.id : change.id;
    held.bytes -= held.contents.get(id)?.bytes ?? 0;
    held.contents.delete(id);
  }
}

/** The contents of the messages in the order of `ids`; undefined if one of them is not held. */
export function findCachedMessages(
  held: DelayedMessageCache,
  ids: readonly string[],
): CachedMessage[] | undefined {
  const found = ids.flatMap((id) => held.contents.get(id)?.waiting ?? []);
  return found.length === ids.length ? found : undefined;
}


// Longer than any request may be retried under load; older ones are found in the store before they
// are posted again.
const MAX_REMEMBERED = 1000;
const MAX_CARRIED = 300;

/**
 * The messages stored last, oldest first: how a retried request is answered with what it was
 * answered before.
 */
export interface RecentMessages {
  byId: Map<string, RecentMessage>;
  byExternalId: Map<string, RecentMessage>;
}

/** A memory of the given messages, the last of which were stored last. */
export function createRecentMessages(messages: RecentMessage[]): RecentMessages {
  const recent: RecentMessages = { byId: new Map(), byExternalId: new Map() };
  addRecentMessages(recent, messages);
  return recent;
}

/** Adds messages; forgets the oldest beyond the bound. */
export function addRecentMessages(recent: RecentMessages, messages: RecentMessage[]): void {
  for (const message of messages) {
    recent.byId.delete(message.id);
    recent.byId.set(message.id, message);
    if (message.externalId !== undefined) recent.byExternalId.set(message.externalId, message);
  }
  for (const [id, { externalId }] of recent.byId) {
    if (recent.byId.size <= MAX_REMEMBERED) return;
    recent.byId.delete(id);
    if (externalId !== undefined && recent.byExternalId.get(externalId)?.id === id)
      recent.byExternalId.delete(externalId);
  }
}

/** What was deleted keeps its id, for retries, and gives its `externalId` free. */
export function forgetRecentMessage(recent: RecentMessages, changes: Change[]): void {
  for (const change of changes) {
    if (change.kind !== 'removed' && change.kind !== 'cancelled') continue;
    const id = change.kind === 'removed' ? change.message.id : change.id;
    const { externalId, ...known } = recent.byId.get(id) ?? { id };
    if (externalId === undefined) continue;
    recent.byId.set(id, known);
    if (recent.byExternalId.get(externalId)?.id === id) recent.byExternalId.delete(externalId);
  }
}

/** The stored message that a draft repeats, by its id or its `externalId`. */
export function findRecentMessage(recent: RecentMessages, draft: MessageDraft): RecentMessage | undefined {
  const byId = recent.byId.get(draft.id);
  if (byId || draft.externalId === undefined) return byId;
  return recent.byExternalId.get(draft.externalId);
}

/** What a run hands to the next one. */
export function forContinueAsNew(recent: RecentMessages): RecentMessage[] {
  return [...recent.byId.values()].slice(-MAX_CARRIED);
}

/** The messages that changes store. */
export function messagesIn(changes: Change[]): RecentMessage[] {
  return changes.flatMap((change) => {
    if (change.kind !== 'processed' && change.kind !== 'delayed') return [];
    const { externalId } = change.message;
    const placed =
      change.kind === 'processed'
        ? { sequence: change.message.sequence, processedAt: change.message.processedAt }
        : {};
    return [{ id: change.id, ...(externalId === undefined ? {} : { externalId }), ...placed }];
  });
}


/** Completed forms that a conversation keeps (spec 5.5). */
export const MAX_RESULTS = 1000;

/** Bytes, as JSON, of the completed forms that a conversation shows. */
const MAX_RESULT_BYTES = 64 * 1024;

/**
 * Returns the latest completed forms that a conversation shows: at most `MAX_RESULTS` of
 * `MAX_RESULT_BYTES` together. Every event of the conversation repeats them.
 */
export function latestResults(results: readonly ConversationResult[] = []): ConversationResult[] {
  let bytes = 0;
  let first = results.length;
  while (first > 0 && results.length - first < MAX_RESULTS) {
    bytes += jsonBytes(results[first - 1]) + 1;
    if (bytes > MAX_RESULT_BYTES) break;
    first -= 1;
  }
  return results.slice(first);
}
