import type { Caller } from './caller.ts';
import type { Change } from './change.ts';
import { jsonBytes } from '../free-form.ts';
import type { MessageDraft } from '../messages/message.ts';

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
