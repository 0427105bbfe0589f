import type { Change } from './change.ts';
import type { MessageDraft } from '../messages/message.ts';
import type { RecentMessage } from '../messages/post.ts';

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
