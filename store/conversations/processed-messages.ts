import type { Caller } from '../../domain/conversations/caller.ts';
import type { MessageDraft, StoredMessage } from '../../domain/messages/message.ts';
import type { RecentMessage } from '../../domain/messages/post.ts';
import { insertMissing } from '../queries/duplicate-key.ts';
import { NOT_DELETED } from '../queries/not-deleted.ts';
import { messageModel } from './messages.ts';
import type { MessageDocument } from './messages.ts';

/** Inserts messages that are not there yet; repeatable. */
export async function insertMessages(documents: MessageDocument[]): Promise<void> {
  await insertMissing(messageModel.collection, documents);
}

/** The number that a message that waited has got. */
export interface AssignedSequence {
  id: string;
  sequence: number;
  processedAt: Date;
}

/** Gives messages that waited their places, by one statement; repeatable. */
export async function assignSequences(placed: readonly AssignedSequence[]): Promise<void> {
  const writes = placed.map(({ id, ...place }) => ({
    filter: { _id: id },
    update: { $set: { ...place, updatedAt: place.processedAt }, $unset: { delayed: '', dueAt: '' } } as const,
  }));
  const [first] = writes;
  if (!first) return;
  const { collection } = messageModel;
  // One alone is the usual case, and a bulk write of one costs the driver twice as much.
  if (writes.length === 1) await collection.updateOne(first.filter, first.update);
  else await collection.bulkWrite(writes.map((updateOne) => ({ updateOne })));
}

/**
 * Gives a message the content it has in `message`; repeatable. `version` is that of the commit that
 * says so: what a later one said stays.
 */
export async function editMessage(message: StoredMessage, version: number, at: Date): Promise<void> {
  const { id, text, items, actions, meta, facts } = message;
  const content = Object.entries({ items, actions, meta });
  const gone = content.filter(([, value]) => value === undefined);
  const kept = content.filter(([, value]) => value !== undefined);
  await messageModel.collection.updateOne(
    {
      _id: id,
      ...NOT_DELETED,
      $or: [{ editedIn: { $exists: false } }, { editedIn: { $lt: version } }],
    },
    {
      $set: {
        text,
        ...Object.fromEntries(kept),
        editedIn: version,
        updatedAt: at,
        ...(message.sequence === undefined && facts ? { 'delayed.facts': facts } : {}),
      },
      ...(gone.length > 0 ? { $unset: Object.fromEntries(gone.map(([field]) => [field, ''])) } : {}),
    },
  );
}

/** Says of all messages of a conversation that had no contact whose they are; repeatable. */
export async function setMessageContact(conversation: string, contact: string): Promise<void> {
  const placed = [{ sequence: { $exists: true } }, { dueAt: { $exists: true } }];
  for (const place of placed) {
    await messageModel.collection.updateMany(
      { conversation, ...place, contact: { $exists: false }, ...NOT_DELETED },
      { $set: { contact } },
    );
  }
}

const CONTENT = [
  'text',
  'user',
  'service',
  'items',
  'actions',
  'results',
  'meta',
  'externalId',
  'slug',
  'contact',
  'delayed',
  'dueAt',
];

/**
 * Leaves only a tombstone of a message: a commit whose rows are written late must not bring it
 * back. `version` is that of the commit that says so. Repeatable.
 */
export async function markMessageDeleted(id: string, version: number, at: Date): Promise<void> {
  await messageModel.collection.updateOne(
    { _id: id, ...NOT_DELETED },
    {
      $set: { deletedAt: at, editedIn: version },
      $unset: Object.fromEntries(CONTENT.map((field) => [field, '' as const])),
    },
  );
}

/**
 * A message of a conversation with its content, who posted it where it still waits, and the version
 * in which it was last edited; null if there is none, or none any more.
 */
export async function findStoredMessage(
  conversation: string,
  id: string,
): Promise<{ message: StoredMessage; caller?: Caller; editedIn?: number } | null> {
  const found = await messageModel.findOne({ _id: id, conversation, ...NOT_DELETED }).lean<MessageDocument>();
  if (!found) return null;
  const { sequence, processedAt, delayed, editedIn } = found;
  const edited = editedIn === undefined ? {} : { editedIn };
  if (sequence === undefined || !processedAt) {
    return { message: toDraft(found), ...edited, ...(delayed ? { caller: delayed.caller } : {}) };
  }
  return { message: { ...toDraft(found), sequence, processedAt: processedAt.toISOString() }, ...edited };
}

const REMEMBERED = { _id: 1, externalId: 1, sequence: 1, processedAt: 1 } as const;
type Remembered = Pick<MessageDocument, '_id' | 'externalId' | 'sequence' | 'processedAt'>;

/** The conversation's latest messages, oldest first: those processed last, and all that wait. */
export async function findRecent(conversation: string, limit: number): Promise<RecentMessage[]> {
  const [waiting, processed] = await Promise.all([
    messageModel
      .find({ conversation, dueAt: { $exists: true }, ...NOT_DELETED }, REMEMBERED)
      .lean<Remembered[]>(),
    messageModel
      .find({ conversation, sequence: { $gt: 0 } }, REMEMBERED)
      .sort({ sequence: -1 })
      .limit(limit)
      .lean<Remembered[]>(),
  ]);
  return [...waiting, ...processed.reverse()].map(toRecent);
}

/** Those of the given messages that are stored, by id or `externalId`. */
export async function findExistingMessages(
  conversation: string,
  { ids = [], externalIds = [] }: { ids?: string[]; externalIds?: string[] },
): Promise<RecentMessage[]> {
  if (ids.length === 0 && externalIds.length === 0) return [];
  const [byId, byExternalId] = await Promise.all([
    ids.length > 0
      ? messageModel.find({ _id: { $in: ids }, conversation }, REMEMBERED).lean<Remembered[]>()
      : [],
    externalIds.length > 0
      ? messageModel.find({ conversation, externalId: { $in: externalIds } }, REMEMBERED).lean<Remembered[]>()
      : [],
  ]);
  return [...byId, ...byExternalId].map(toRecent);
}

/**
 * The content of messages that wait, in the order of `ids`; those that are gone or processed are
 * missing.
 */
export async function findDelayed(ids: string[]): Promise<{ caller: Caller; message: MessageDraft }[]> {
  const found = await messageModel
    .find({ _id: { $in: ids }, sequence: { $exists: false }, ...NOT_DELETED })
    .lean<MessageDocument[]>();
  const byId = new Map(found.map((document) => [document._id, document]));
  return ids.flatMap((id) => {
    const document = byId.get(id);
    return document?.delayed ? [{ caller: document.delayed.caller, message: toDraft(document) }] : [];
  });
}

function toRecent({ _id, externalId, sequence, processedAt }: Remembered): RecentMessage {
  return {
    id: _id,
    ...(externalId === undefined ? {} : { externalId }),
    ...(sequence === undefined ? {} : { sequence }),
    ...(processedAt === undefined ? {} : { processedAt: processedAt.toISOString() }),
  };
}

function toDraft(document: MessageDocument): MessageDraft {
  const { _id, conversation, organization, contact, conversationSlug, createdAt, updatedAt, ...rest } =
    document;
  const { sequence, processedAt, dueAt, delayed, editedIn, deletedAt, ...draft } = rest;
  return {
    ...draft,
    id: _id,
    createdAt: createdAt.toISOString(),
    ...(delayed?.facts ? { facts: delayed.facts } : {}),
  };
}
