import type { ConversationResult, ConversationState } from '../../domain/conversations/conversation.ts';
import { MAX_RESULTS } from '../../domain/conversations/conversation.ts';
import type { LastMessage } from '../../domain/conversations/last-message.ts';
import { findWaitingSince } from '../../domain/conversations/last-message.ts';
import { definedFields } from '../../domain/record-fields.ts';
import { changedTimes, conversationModel, formatTimes } from './conversations.ts';
import type { ConversationDocument } from './conversations.ts';
import { keepsRecord } from '../records/organization-removal.ts';
import { tryInsert } from '../queries/insert.ts';

/** Kept ids of conditional changes: a lost workflow task contains fewer. */
const MAX_CONDITIONAL = 20;

export type StoredConversation =
  | {
      state: ConversationState;
      /** The last commit. Its rows may not be written yet. */
      commit: string | undefined;
      results: ConversationResult[];
      conditional: string[];
      wakeAt?: Date;
    }
  | { state: null; deleted: boolean };

export async function loadConversation(id: string): Promise<StoredConversation> {
  const document = await conversationModel.findById(id).lean<ConversationDocument>();
  if (!document) return { state: null, deleted: false };
  if (document.deletedAt) return { state: null, deleted: true };
  const { commit, results, conditional = [], wakeAt } = document;
  return { state: toState(document), commit, results, conditional, ...(wakeAt ? { wakeAt } : {}) };
}

type StoredVersion = Pick<ConversationState, 'id' | 'organization' | 'version'>;

/**
 * Returns whether the organization was removed before the conversation's first commit. After that
 * commit, an organization is removed only after its conversations.
 */
export async function hasMetRemoval({ organization, version }: StoredVersion): Promise<boolean> {
  return version === 1 && !(await keepsRecord(organization));
}

/**
 * Deletes a conversation of a removed organization. Call after the conversation's first commit,
 * before any row is written.
 */
export async function revertFirstCommit(stored: StoredVersion): Promise<boolean> {
  if (!(await hasMetRemoval(stored))) return false;
  await conversationModel.collection.deleteOne({ _id: stored.id, version: stored.version });
  return true;
}

export interface CommitWrite {
  base: ConversationState;
  next: ConversationState;
  /** Completed forms that the commit adds. */
  results: ConversationResult[];
  conditional?: string | undefined;
  /** JSON. */
  commit: string;
  /** When a timer is due or a snooze ends. */
  wakeAt?: Date | undefined;
  /** The last message that the commit processes, if its type is spoken. */
  lastMessage?: LastMessage | undefined;
}

/**
 * Writes if the store still has `base.version` (docs/decisions/commit.md). Returns all results, or
 * null if nothing was written.
 */
export async function writeCommit({
  base,
  next,
  results,
  conditional,
  commit,
  wakeAt,
  lastMessage,
}: CommitWrite): Promise<ConversationResult[] | null> {
  const version = base.version + 1;
  const listed = listFields(next, lastMessage && { ...lastMessage, version });
  if (base.version === 0) return insertFirst({ next, results, commit, wakeAt, listed });
  const { set, unset } = changedFields(base, next);
  const gone = {
    ...unset,
    ...(wakeAt ? {} : { wakeAt: '' as const }),
    ...(listed.waitingSince ? {} : { waitingSince: '' as const }),
  };
  const added = {
    ...(results.length > 0 ? { results: { $each: results, $slice: -MAX_RESULTS } } : {}),
    ...(conditional ? { conditional: { $each: [conditional], $slice: -MAX_CONDITIONAL } } : {}),
  };
  const written = await conversationModel.collection.findOneAndUpdate(
    { _id: base.id, version: base.version },
    {
      $set: { ...set, ...listed, version, commit, ...(wakeAt ? { wakeAt } : {}) },
      ...(Object.keys(gone).length > 0 ? { $unset: gone } : {}),
      ...(Object.keys(added).length > 0 ? { $push: added } : {}),
    },
    { projection: { results: 1 }, returnDocument: 'after' },
  );
  return written && written.results;
}

export type LastCommit = Pick<ConversationDocument, '_id' | 'updatedAt' | 'results'> & { commit: string };

/** Returns the oldest commits first. */
export async function findCommitsBetween(
  { from, to }: { from: Date; to: Date },
  limit: number,
): Promise<LastCommit[]> {
  return conversationModel
    .find(
      { updatedAt: { $gte: from, $lt: to }, commit: { $exists: true } },
      { commit: 1, updatedAt: 1, results: 1 },
    )
    .sort({ updatedAt: 1, _id: 1 })
    .limit(limit)
    .lean<LastCommit[]>();
}

async function insertFirst({
  next,
  results,
  commit,
  wakeAt,
  listed,
}: Omit<CommitWrite, 'base' | 'lastMessage'> & { listed: ListFields }): Promise<ConversationResult[] | null> {
  const kept = results.slice(-MAX_RESULTS);
  const { id, ...state } = next;
  const fields = { ...definedFields(state), ...changedTimes(next) };
  const times = wakeAt ? { wakeAt } : {};
  const document = { ...fields, ...listed, ...times, _id: id, results: kept, version: 1, commit };
  return (await tryInsert(conversationModel.collection, document)) ? kept : null;
}

type ListFields = Pick<ConversationDocument, 'lastMessage' | 'waitingSince'>;

/** Fields of lists, which no decision reads. An absent `lastMessage` keeps the stored one. */
function listFields(next: ConversationState, lastMessage: ListFields['lastMessage']): ListFields {
  const since = findWaitingSince(next);
  return definedFields({ lastMessage, waitingSince: since === undefined ? undefined : new Date(since) });
}

function toState(document: ConversationDocument): ConversationState {
  const { results, conditional, commit, wakeAt, deletedAt, erasedAt, lastMessage, waitingSince, ...kept } =
    document;
  const { _id, ...state } = formatTimes(kept);
  return { ...state, id: _id };
}

// States share unchanged values: comparing references is enough.
function changedFields(base: ConversationState, next: ConversationState) {
  const before: Record<string, unknown> = { ...base };
  const after: Record<string, unknown> = definedFields(next);
  const changed = Object.fromEntries(Object.entries(after).filter(([key, value]) => value !== before[key]));
  // A changed list may have changed the stored index (store/conversations/category-indexes.ts).
  const index = next.category === base.category ? {} : { categoryIndex: next.categoryIndex };
  const set = { ...changed, ...definedFields(index), ...changedTimes(next, base) };
  const had = 'categoryIndex' in index ? { ...base, ...index } : base;
  const gone = Object.keys(had).filter((key) => !(key in after));
  return { set, unset: Object.fromEntries(gone.map((key) => [key, '' as const])) };
}
