import type { Change } from '../domain/conversations/change.ts';
import type { ConversationState } from '../domain/conversations/conversation.ts';
import { findNewOwner } from '../domain/effects/contact-effects.ts';
import { parseOrNull } from '../domain/json.ts';
import { messageWords } from '../domain/query/search-words.ts';
import { definedFields } from '../domain/record-fields.ts';
import { intermediateStates } from '../domain/conversations/evolve.ts';
import type { ContactProfile } from '../store/conversations/contacts.ts';
import type { MessageDocument } from '../store/conversations/messages.ts';
import type { Subscription } from '../domain/events/subscriptions.ts';

/**
 * A stored batch of decisions. Any worker can derive the batch's rows (messages, events,
 * deliveries) and write them again.
 */
export interface Commit {
  base: ConversationState;
  changes: Change[];
  services: Subscription[];
  /** The contact's profile before the commit. Present only if a change modifies the profile. */
  profile?: ContactProfile | undefined;
}

export interface CommitWithStates extends Commit {
  states: readonly ConversationState[];
}

export function withStates(commit: Commit): CommitWithStates {
  return { ...commit, states: intermediateStates(commit.base, commit.changes) };
}

export function getStateAfter({ base, states }: CommitWithStates): ConversationState {
  return states.at(-1) ?? base;
}

/**
 * Throws an error without `text` for an invalid commit: contents of messages must not be logged.
 */
export function parseCommit(text: string): CommitWithStates {
  const commit = parseOrNull(text) as Partial<Commit> | null;
  const whole =
    commit?.base?.id !== undefined && Array.isArray(commit.changes) && Array.isArray(commit.services);
  if (!whole) throw new Error('Invalid stored commit.');
  return withStates(commit as Commit);
}

export function buildMessageDocuments(commit: Commit): MessageDocument[] {
  const { id, organization, slug } = commit.base;
  const contact = findContactAfter(commit);
  const shared = { conversation: id, organization, conversationSlug: slug, ...definedFields({ contact }) };
  return commit.changes.flatMap((change) => {
    if (change.kind === 'delayed') return [buildDelayedDocument(shared, change)];
    if (change.kind === 'processed' && !change.wasDelayed) return [buildProcessedDocument(shared, change)];
    return [];
  });
}

export function findContactAfter({ base, changes }: Pick<Commit, 'base' | 'changes'>): string | undefined {
  return findNewOwner(changes) ?? base.contact;
}

type SharedFields = Pick<MessageDocument, 'conversation' | 'organization' | 'contact' | 'conversationSlug'>;

function buildProcessedDocument(
  shared: SharedFields,
  change: Extract<Change, { kind: 'processed' }>,
): MessageDocument {
  const { id, createdAt, processedAt, ...message } = change.message;
  const at = new Date(processedAt);
  const times = { createdAt: new Date(createdAt), updatedAt: at, processedAt: at };
  return { _id: id, ...shared, ...message, ...times, ...definedFields({ words: messageWords(message) }) };
}

function buildDelayedDocument(
  shared: SharedFields,
  change: Extract<Change, { kind: 'delayed' }>,
): MessageDocument {
  const { id, createdAt, facts, ...message } = change.message;
  const at = new Date(createdAt);
  const times = { createdAt: at, updatedAt: at, dueAt: new Date(change.dueAt) };
  const delayed = { caller: change.caller, ...definedFields({ facts }) };
  const words = definedFields({ words: messageWords(message) });
  return { _id: id, ...shared, ...message, ...times, ...words, delayed };
}
