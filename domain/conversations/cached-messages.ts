import type { Change } from './change.ts';
import type { ConversationState } from './conversation.ts';
import { jsonBytes } from '../free-form.ts';
import type { Caller, MessageDraft, StoredMessage } from '../messages/message.ts';
import type { RecentMessage } from '../messages/post.ts';

export interface CachedConversation {
  state: ConversationState | null;
  recent: RecentMessages;
  /** Deleted for good (spec 5.8). */
  deleted: boolean;
}

export interface CachedMessage {
  caller: Caller;
  message: MessageDraft;
}

/** Bounded cache of delayed messages. Messages outside the cache are loaded when due. */
export interface DelayedMessageCache {
  contents: Map<string, { waiting: CachedMessage; bytes: number }>;
  bytes: number;
}

/** Bound per conversation: a worker caches thousands of conversations. */
const MAX_CACHED_BYTES = 32 * 1024;

export function emptyDelayedMessageCache(): DelayedMessageCache {
  return { contents: new Map(), bytes: 0 };
}

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

export function evictDelayedMessages(held: DelayedMessageCache, changes: readonly Change[]): void {
  for (const change of changes) {
    const id = change.kind === 'edited' ? change.message.id : change.id;
    held.bytes -= held.contents.get(id)?.bytes ?? 0;
    held.contents.delete(id);
  }
}

export function findCachedMessages(
  held: DelayedMessageCache,
  ids: readonly string[],
): CachedMessage[] | undefined {
  const found = ids.flatMap((id) => held.contents.get(id)?.waiting ?? []);
  return found.length === ids.length ? found : undefined;
}

// More than arrive while a request may be retried. Older duplicates are found in the store.
const MAX_REMEMBERED = 1000;
const MAX_CARRIED = 300;

/** The latest messages, oldest first, to recognise retries. */
export interface RecentMessages {
  byId: Map<string, RecentMessage>;
  byExternalId: Map<string, RecentMessage>;
}

export function createRecentMessages(messages: RecentMessage[]): RecentMessages {
  const recent: RecentMessages = { byId: new Map(), byExternalId: new Map() };
  addRecentMessages(recent, messages);
  return recent;
}

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

/** Keeps the id of a deleted message, for retries, and frees its external id. */
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

export function findRecentMessage(recent: RecentMessages, draft: MessageDraft): RecentMessage | undefined {
  const byId = recent.byId.get(draft.id);
  if (byId || draft.externalId === undefined) return byId;
  return recent.byExternalId.get(draft.externalId);
}

export function forContinueAsNew(recent: RecentMessages): RecentMessage[] {
  return [...recent.byId.values()].slice(-MAX_CARRIED);
}

export function messagesIn(changes: Change[]): RecentMessage[] {
  return changes.flatMap((change) => {
    if (change.kind !== 'processed' && change.kind !== 'delayed') return [];
    const { externalId, sequence, processedAt }: StoredMessage = change.message;
    return [{ id: change.id, externalId, sequence, processedAt }];
  });
}
