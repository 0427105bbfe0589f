import type { Change } from '../../domain/conversations/change.ts';
import type { MessageType } from '../../domain/messages/message.ts';
import { conversationModel } from './conversations.ts';
import type { ConversationDocument } from './conversations.ts';
import { NOT_DELETED, readUpTo } from '../queries/find.ts';
import type { Part, ReadBounds } from '../queries/listing.ts';
import { messageModel } from './messages.ts';
import { findPresences } from './presences.ts';
import type { PresenceDocument } from './presences.ts';
import type { MessageDocument } from './messages.ts';

/** `version` rises with every commit. */
export interface ConversationHead {
  id: string;
  version: number;
  sequence: number;
  presence?: PresenceDocument | undefined;
}

/** Without the commit, which is large. */
export type ConversationSnapshot = Omit<ConversationDocument, 'commit'>;

export async function findHeadsWithPresence(ids: string[]): Promise<ConversationHead[]> {
  const [heads, presences] = await Promise.all([findConversationVersions(ids), findPresences(ids)]);
  const known = new Map(presences.map((presence) => [presence._id, presence]));
  return heads.map((head) => ({ ...head, presence: known.get(head.id) }));
}

export async function findConversationVersions(ids: string[]): Promise<ConversationHead[]> {
  const found = await conversationModel
    .find({ _id: { $in: ids }, ...NOT_DELETED }, { version: 1, sequence: 1 })
    .lean<Pick<ConversationDocument, '_id' | 'version' | 'sequence'>[]>();
  return found.map(({ _id, version, sequence }) => ({ id: _id, version, sequence }));
}

export interface ChangedConversation {
  id: string;
  version: number;
  updatedAt: Date;
  lastMessageAt: Date;
}

const CHANGE = { version: 1, updatedAt: 1, lastMessageAt: 1 } as const;

/** Returns the least recently changed conversations first. */
export async function findChangedSince(
  organizations: string[],
  { since, limit }: { since: Date; limit: number },
): Promise<ChangedConversation[]> {
  const found = await conversationModel
    .find({ organization: { $in: organizations }, updatedAt: { $gte: since } }, CHANGE)
    .sort({ updatedAt: 1, _id: 1 })
    .limit(limit)
    .lean<Pick<ConversationDocument, '_id' | 'version' | 'updatedAt' | 'lastMessageAt'>[]>();
  return found.map(({ _id, ...times }) => ({ id: _id, ...times }));
}

/**
 * `settled`: whether the messages that the last commit delayed, edited or deleted are written
 * (docs/decisions/commit.md).
 */
export async function findSnapshot(
  id: string,
): Promise<{ conversation: ConversationSnapshot; settled: boolean } | null> {
  const found = await conversationModel.findOne({ _id: id, ...NOT_DELETED }).lean<ConversationDocument>();
  if (!found) return null;
  const { commit = '', ...conversation } = found;
  return { conversation, settled: await isSettled(commit, conversation.version) };
}

async function isSettled(commit: string, version: number): Promise<boolean> {
  if (!/"kind":"(delayed|edited|removed)"/.test(commit)) return true;
  const changes = parseChanges(commit);
  const changed = changes.flatMap((change) =>
    change.kind === 'edited' || change.kind === 'removed' ? [change.message.id] : [],
  );
  const delayed = changes.flatMap((change) => (change.kind === 'delayed' ? [change.message.id] : []));
  const ids = [...new Set([...delayed, ...changed])];
  const isWritten = [
    { editedIn: { $gte: version } },
    { deletedAt: { $exists: true } },
    { _id: { $in: delayed.filter((id) => !changed.includes(id)) } },
  ];
  return (await messageModel.countDocuments({ _id: { $in: ids }, $or: isWritten })) === ids.length;
}

/** Returns changed messages and tombstones, ordered by `editedIn`. */
export async function findChanged(
  conversation: string,
  { after, last, ...bounds }: SequenceRange,
): Promise<Part<MessageDocument>> {
  const filter = { conversation, editedIn: { $gt: after, $lte: last }, sequence: { $gt: 0 } };
  return readUpTo(messageModel.collection.find(filter).sort({ editedIn: 1, _id: 1 }), bounds);
}

/**
 * Returns the version before the first change after message `number`. A client may see a change
 * again, but misses none.
 */
export async function findResumeVersion({ id, version }: ConversationHead, number: number): Promise<number> {
  const last = await messageModel
    .findOne({ conversation: id, sequence: { $gt: 0, $lte: number } }, { processedAt: 1 })
    .sort({ sequence: -1, _id: -1 })
    .lean<Pick<MessageDocument, 'processedAt'>>();
  if (!last) return version;
  const since = last.processedAt ?? new Date(0);
  const first = await messageModel
    .findOne(
      {
        conversation: id,
        editedIn: { $gt: 0 },
        $or: [{ updatedAt: { $gte: since } }, { deletedAt: { $gte: since } }],
      },
      { editedIn: 1 },
    )
    .sort({ editedIn: 1, _id: 1 })
    .lean<Pick<MessageDocument, 'editedIn'>>();
  // The rows of the last version may not be written yet.
  return Math.min(first?.editedIn ?? version, version) - 1;
}

export async function findDelayedMessages(ids: string[]): Promise<MessageDocument[]> {
  if (ids.length === 0) return [];
  return messageModel
    .find({ _id: { $in: ids }, sequence: { $exists: false }, ...NOT_DELETED })
    .sort({ dueAt: 1, _id: 1 })
    .lean<MessageDocument[]>();
}

export interface MessageRange {
  messages: MessageDocument[];
  /** No more messages will appear up to this sequence. */
  complete: number;
}

interface SequenceRange extends ReadBounds {
  after: number;
  last: number;
}

/**
 * Ends the range before a message that is not written yet (docs/decisions/commit.md). `last` must
 * be an assigned sequence.
 */
export async function findMessagesInRange(conversation: string, range: SequenceRange): Promise<MessageRange> {
  const { after, last } = range;
  const { records: messages, more } = await readMessages(conversation, range);
  const end = more ? (messages.at(-1)?.sequence ?? after) : last;
  if (messages.length >= end - after) return { messages, complete: end };
  // Other missing sequences belong to deleted messages.
  const unwritten = await numbersOfCommit(conversation);
  const { records: again } = await readMessages(conversation, range);
  const present = new Set(again.map(({ sequence }) => sequence));
  const awaited = [...unwritten].filter((number) => number > after && number <= end && !present.has(number));
  const complete = Math.min(end, ...awaited.map((number) => number - 1));
  return { messages: again.filter(({ sequence = 0 }) => sequence <= complete), complete };
}

function readMessages(
  conversation: string,
  { after, last, ...bounds }: SequenceRange,
): Promise<Part<MessageDocument>> {
  const filter = { conversation, sequence: { $gt: after, $lte: last }, ...NOT_DELETED };
  return readUpTo(messageModel.collection.find(filter).sort({ sequence: 1, _id: 1 }), bounds);
}

async function numbersOfCommit(id: string): Promise<Set<number>> {
  const found = await conversationModel
    .findById(id, { commit: 1 })
    .lean<Pick<ConversationDocument, 'commit'>>();
  const changes = found?.commit === undefined ? [] : parseChanges(found.commit);
  return new Set(changes.flatMap((change) => (change.kind === 'processed' ? [change.message.sequence] : [])));
}

function parseChanges(commit: string): Change[] {
  return (JSON.parse(commit) as { changes: Change[] }).changes;
}

/** Returns the newest messages first. */
export async function findMainThread(
  conversation: string,
  { before, types, ...bounds }: { before: number; types: readonly MessageType[] } & ReadBounds,
): Promise<Part<MessageDocument>> {
  const filter = {
    conversation,
    sequence: { $gt: 0, $lt: before },
    isBackchannel: false,
    type: { $in: [...types] },
    ...NOT_DELETED,
  };
  return readUpTo(messageModel.collection.find(filter).sort({ sequence: -1, _id: -1 }), bounds);
}
