import type { ConversationResult, ConversationState } from '../../domain/conversations/conversation.ts';
import { MAX_RESULTS } from '../../domain/conversations/conversation.ts';
import { definedFields } from '../../domain/record-fields.ts';
import { conversationModel } from './conversations.ts';
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
    }
  | { state: null; deleted: boolean };

export async function loadConversation(id: string): Promise<StoredConversation> {
  const document = await conversationModel.findById(id).lean<ConversationDocument>();
  if (!document) return { state: null, deleted: false };
  if (document.deletedAt) return { state: null, deleted: true };
  const { commit, results, conditional = [] } = document;
  return { state: toState(document), commit, results, conditional };
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
  conditional?: string;
  /** JSON. */
  commit: string;
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
}: CommitWrite): Promise<ConversationResult[] | null> {
  if (base.version === 0) return insertFirst({ next, results, commit });
  const { set, unset } = changedFields(base, next);
  const added = {
    ...(results.length > 0 ? { results: { $each: results, $slice: -MAX_RESULTS } } : {}),
    ...(conditional ? { conditional: { $each: [conditional], $slice: -MAX_CONDITIONAL } } : {}),
  };
  const written = await conversationModel.collection.findOneAndUpdate(
    { _id: base.id, version: base.version },
    {
      $set: { ...set, version: base.version + 1, commit },
      ...(Object.keys(unset).length > 0 ? { $unset: unset } : {}),
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
}: Omit<CommitWrite, 'base'>): Promise<ConversationResult[] | null> {
  const kept = results.slice(-MAX_RESULTS);
  const document = { ...documentFields(next), results: kept, version: 1, commit };
  return (await tryInsert(conversationModel.collection, document)) ? kept : null;
}

function toState(document: ConversationDocument): ConversationState {
  const { results, conditional, commit, deletedAt, erasedAt, ...kept } = document;
  const { _id, createdAt, updatedAt, lastMessageAt, ...state } = kept;
  return {
    ...state,
    id: _id,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    lastMessageAt: lastMessageAt.toISOString(),
  };
}

function documentFields({ id, createdAt, updatedAt, lastMessageAt, ...state }: ConversationState) {
  return {
    ...(definedFields(state) as typeof state),
    _id: id,
    createdAt: new Date(createdAt),
    updatedAt: new Date(updatedAt),
    lastMessageAt: new Date(lastMessageAt),
  };
}

// States share unchanged values: comparing references is enough.
function changedFields(base: ConversationState, next: ConversationState) {
  const before: Record<string, unknown> = { ...base };
  const after = documentFields(next);
  const set = Object.fromEntries(
    Object.entries(after).filter(([key, value]) => key !== '_id' && value !== before[key]),
  );
  delete set.createdAt;
  if (base.lastMessageAt === next.lastMessageAt) delete set.lastMessageAt;
  const gone = Object.keys(base).filter((key) => key !== 'id' && !(key in after));
  return { set, unset: Object.fromEntries(gone.map((key) => [key, '' as const])) };
}
