import type { Caller } from '../../domain/conversations/caller.ts';
import type { MessageDraft, StoredMessage } from '../../domain/messages/message.ts';
import type { RecentMessage } from '../../domain/messages/post.ts';
import { insertMissing } from '../queries/insert.ts';
import { NOT_DELETED } from '../queries/find.ts';
import { messageModel } from './messages.ts';
import type { MessageDocument } from './messages.ts';
import { lruMap } from '../../platform/concurrency/lru-map.ts';

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

/** How many ids a conversation shows (spec 5.1). */
export const MAX_SHOWN = 1000;

/** Ids that a process remembers, of all conversations: some fifty bytes each. */
const MAX_REMEMBERED = 250_000;
/** What a server has lost in a failover, or a restored copy never had, is forgotten after this. */
const MAX_AGE_MS = 10 * 60_000;
/** Where more than this was deleted, it is cheaper to gather what was not. */
const MAX_DELETED = 2_000;

/** A conversation of which the ids are asked: `sequence` is the last number given in it. */
interface NumberedConversation {
  id: string;
  sequence: number;
}

/** The messages with the numbers from `from` on, without a gap, those deleted since too. */
interface IdRun {
  from: number;
  ids: readonly string[];
  until: number;
}

// A message keeps its number, also when it is deleted: what was once read of them stays true.
const runs = lruMap<string, IdRun>(MAX_REMEMBERED, ({ ids }) => ids.length);

/**
 * The ids of each conversation's processed messages, in order, the newest 1,000 if there are more.
 * Each is read from the store once in ten minutes; after that, what is new and what was deleted
 * (docs/decisions/ids-of-messages.md).
 */
export async function processedIds(
  conversations: NumberedConversation[],
): Promise<Map<string, readonly string[]>> {
  // Where none was given a number none is processed.
  const numbered = conversations.filter(({ sequence }) => sequence > 0);
  const deleted = await findDeletedIds(numbered);
  const shown = deleted
    ? async (one: NumberedConversation) => omitDeleted(deleted, await findNumberedIds(one))
    : (one: NumberedConversation) => readIds({ ...one, above: one.sequence - MAX_SHOWN }, NOT_DELETED);
  const ids = await Promise.all(numbered.map(shown));
  const found = new Map(numbered.map(({ id }, at) => [id, ids[at] ?? []]));
  return new Map(conversations.map(({ id }) => [id, found.get(id) ?? []]));
}

/** The ids of the newest 1,000 numbers, deleted or not, from what is remembered where it is. */
async function findNumberedIds({ id, sequence }: NumberedConversation): Promise<readonly string[]> {
  const first = Math.max(1, sequence - MAX_SHOWN + 1);
  const known = findCachedRun(id, { first, sequence });
  const above = known ? known.from + known.ids.length - 1 : first - 1;
  const added = above < sequence ? await readIds({ id, sequence, above }) : [];
  const ids = known ? known.ids.slice(first - known.from).concat(added) : added;
  // A commit comes before its rows: until all are there, none of them is remembered.
  if (added.length > 0 && above + added.length === sequence) {
    runs.set(id, { from: first, ids, until: known?.until ?? performance.now() + MAX_AGE_MS });
  }
  return ids;
}

function findCachedRun(
  id: string,
  { first, sequence }: { first: number; sequence: number },
): IdRun | undefined {
  const known = runs.get(id);
  if (!known || known.until < performance.now()) return undefined;
  const last = known.from + known.ids.length - 1;
  return known.from <= first && last >= first && last <= sequence ? known : undefined;
}

/** The ids with numbers above one and up to another, in order; one document holds them all. */
async function readIds(
  { id, sequence, above }: NumberedConversation & { above: number },
  only: Partial<typeof NOT_DELETED> = {},
): Promise<string[]> {
  const [found] = await messageModel.aggregate<{ messages: string[] }>([
    { $match: { conversation: id, sequence: { $gt: Math.max(0, above), $lte: sequence }, ...only } },
    { $sort: { conversation: 1, sequence: 1 } },
    { $project: { conversation: 1 } },
    { $group: { _id: '$conversation', messages: { $push: '$_id' } } },
  ]);
  return found?.messages ?? [];
}

/** Which messages of the conversations were deleted; null where there are too many to tell. */
async function findDeletedIds(conversations: NumberedConversation[]): Promise<Set<string> | null> {
  if (conversations.length === 0) return new Set();
  const found = await messageModel.collection
    .find(
      { conversation: { $in: conversations.map(({ id }) => id) }, deletedAt: { $exists: true } },
      { projection: { _id: 1 }, limit: MAX_DELETED + 1 },
    )
    .toArray();
  return found.length > MAX_DELETED ? null : new Set(found.map(({ _id }) => _id));
}

function omitDeleted(deleted: Set<string>, ids: readonly string[]): readonly string[] {
  return deleted.size === 0 ? ids : ids.filter((id) => !deleted.has(id));
}
