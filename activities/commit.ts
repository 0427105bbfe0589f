import type { Change } from '../domain/conversations/change.ts';
import type { ConversationState } from '../domain/conversations/conversation.ts';
import { findNewOwner } from '../domain/effects/contact-effects.ts';
import { intermediateStates } from '../domain/conversations/evolve.ts';
import type { ContactProfile } from '../store/conversations/contacts.ts';
import type { MessageDocument } from '../store/conversations/messages.ts';
import type { ServiceSubscription } from '../store/delivery/services.ts';

/**
 * A batch of decisions as stored. Its rows (messages, events, deliveries) follow from it alone, so
 * any worker can write them, repeatedly.
 */
export interface Commit {
  base: ConversationState;
  changes: Change[];
  /** Subscribers at the time of the commit. */
  services: ServiceSubscription[];
  /** The contact's profile before the commit, if several changes modify it. */
  profile?: ContactProfile;
}

export interface CommitWithStates extends Commit {
  states: readonly ConversationState[];
}

export function withStates(commit: Commit): CommitWithStates {
  return { ...commit, states: intermediateStates(commit.base, commit.changes) };
}

export function getStateAfter({
  base,
  states,
}: Pick<CommitWithStates, 'base' | 'states'>): ConversationState {
  return states.at(-1) ?? base;
}

/** Throws an error without the text, because messages must not be logged. */
export function parseCommit(text: string): CommitWithStates {
  const commit = readJson(text) as Partial<Commit> | null | undefined;
  const whole =
    commit?.base?.id !== undefined && Array.isArray(commit.changes) && Array.isArray(commit.services);
  if (!whole) throw new Error('Invalid stored commit.');
  return withStates(commit as Commit);
}

/** Leaves out processed messages that were stored as delayed. */
export function buildMessageDocuments(commit: Pick<Commit, 'base' | 'changes'>): MessageDocument[] {
  const shared = buildSharedFields(commit);
  return commit.changes.flatMap((change) => {
    if (change.kind === 'delayed') return [buildDelayedDocument(shared, change)];
    if (change.kind === 'processed' && !change.wasDelayed) return [buildProcessedDocument(shared, change)];
    return [];
  });
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function findContactAfter({ base, changes }: Pick<Commit, 'base' | 'changes'>): string | undefined {
  return findNewOwner(changes) ?? base.contact;
}

type SharedMessageFields = Pick<
  MessageDocument,
  'conversation' | 'organization' | 'contact' | 'conversationSlug'
>;

function buildSharedFields(commit: Pick<Commit, 'base' | 'changes'>): SharedMessageFields {
  const { id, organization, slug } = commit.base;
  const contact = findContactAfter(commit);
  return { conversation: id, organization, ...(contact ? { contact } : {}), conversationSlug: slug };
}

function buildProcessedDocument(
  shared: SharedMessageFields,
  change: Extract<Change, { kind: 'processed' }>,
): MessageDocument {
  const { id, createdAt, processedAt, ...message } = change.message;
  const at = new Date(processedAt);
  return {
    _id: id,
    ...shared,
    ...message,
    createdAt: new Date(createdAt),
    updatedAt: at,
    processedAt: at,
  };
}

function buildDelayedDocument(
  shared: SharedMessageFields,
  change: Extract<Change, { kind: 'delayed' }>,
): MessageDocument {
  const { id, createdAt, facts, ...message } = change.message;
  return {
    _id: id,
    ...shared,
    ...message,
    createdAt: new Date(createdAt),
    updatedAt: new Date(createdAt),
    dueAt: new Date(change.dueAt),
    delayed: { caller: change.caller, ...(facts ? { facts } : {}) },
  };
}
