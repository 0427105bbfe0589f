import type { Edited } from '../../domain/conversations/change.ts';
import type { CachedMessage } from '../../domain/conversations/cached-messages.ts';
import type { LoadedMessage } from '../../domain/messages/edit.ts';
import type { MessageDraft } from '../../domain/messages/message.ts';
import { messageWords } from '../../domain/query/search-words.ts';
import { definedFields } from '../../domain/record-fields.ts';
import type { RecentMessage } from '../../domain/messages/post.ts';
import { insertMissing } from '../queries/insert.ts';
import { NOT_DELETED } from '../queries/find.ts';
import { PROCESSED_OR_DELAYED, messageModel } from './messages.ts';
import type { MessageDocument } from './messages.ts';
import { lruMap } from '../../platform/concurrency/lru-map.ts';

/** Repeatable. */
export async function insertMessages(documents: MessageDocument[]): Promise<void> {
  await insertMissing(messageModel.collection, documents);
}

/** The other fields are set where a channel service carries the message. */
export interface AssignedSequence extends Partial<
  Pick<MessageDocument, 'service' | 'serviceType' | 'touchpoint' | 'delivery'>
> {
  id: string;
  sequence: number;
  processedAt: Date;
}

/** Repeatable. */
export async function assignSequences(placed: readonly AssignedSequence[]): Promise<void> {
  const writes = placed.map(({ id, ...place }) => ({
    filter: { _id: id },
    update: { $set: { ...place, updatedAt: place.processedAt }, $unset: { delayed: '', dueAt: '' } } as const,
  }));
  const [first] = writes;
  if (!first) return;
  const { collection } = messageModel;
  // For one message, `bulkWrite` costs the driver twice as much as `updateOne`.
  if (writes.length === 1) await collection.updateOne(first.filter, first.update);
  else await collection.bulkWrite(writes.map((updateOne) => ({ updateOne })));
}

/** Skips a message that this or a later commit has changed. Repeatable. */
export async function editMessage(
  { message, dueAt }: Pick<Edited, 'message' | 'dueAt'>,
  version: number,
  at: Date,
): Promise<void> {
  const { id, text, contentType, items, actions, meta, delay, sendAt, facts, sequence } = message;
  const content = { items, actions, meta, delay, sendAt, words: messageWords(message) };
  const gone = Object.entries(content).filter(([, value]) => value === undefined);
  const delayedFacts = sequence === undefined && facts ? { 'delayed.facts': facts } : {};
  await messageModel.collection.updateOne(
    { _id: id, ...NOT_DELETED, $or: [{ editedIn: { $exists: false } }, { editedIn: { $lt: version } }] },
    {
      $set: {
        text,
        ...definedFields({ ...content, contentType }),
        editedIn: version,
        updatedAt: at,
        ...delayedFacts,
        ...(dueAt === undefined ? {} : { dueAt: new Date(dueAt) }),
      },
      ...(gone.length > 0 ? { $unset: Object.fromEntries(gone.map(([field]) => [field, ''])) } : {}),
    },
  );
}

/** Repeatable. */
export async function setMessageContact(conversation: string, contact: string): Promise<void> {
  for (const part of PROCESSED_OR_DELAYED) {
    await messageModel.collection.updateMany(
      { conversation, ...part, contact: { $ne: contact }, ...NOT_DELETED },
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
  'delivery',
  'words',
];

/** Creates a tombstone, so that no late write restores the message. Repeatable. */
export async function markMessageDeleted(id: string, version: number, at: Date): Promise<void> {
  await messageModel.collection.updateOne(
    { _id: id, ...NOT_DELETED },
    {
      $set: { deletedAt: at, editedIn: version },
      $unset: Object.fromEntries(CONTENT.map((field) => [field, '' as const])),
    },
  );
}

export async function findStoredMessage(conversation: string, id: string): Promise<LoadedMessage | null> {
  const found = await messageModel.findOne({ _id: id, conversation, ...NOT_DELETED }).lean<MessageDocument>();
  if (!found) return null;
  const { sequence, processedAt, delayed, editedIn } = found;
  const place = { sequence, processedAt: processedAt?.toISOString() };
  return { message: { ...toDraft(found), ...place }, editedIn, caller: delayed?.caller };
}

const REMEMBERED = { _id: 1, externalId: 1, sequence: 1, processedAt: 1 } as const;
type Remembered = Pick<MessageDocument, '_id' | 'externalId' | 'sequence' | 'processedAt'>;

/** Returns all delayed messages, then the latest processed messages in order. */
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

export async function findExistingMessages(
  conversation: string,
  { ids = [], externalIds = [] }: { ids?: string[]; externalIds?: string[] },
): Promise<RecentMessage[]> {
  const find = (filter: object) =>
    messageModel.find({ conversation, ...filter }, REMEMBERED).lean<Remembered[]>();
  const [byId, byExternalId] = await Promise.all([
    ids.length > 0 ? find({ _id: { $in: ids } }) : [],
    externalIds.length > 0 ? find({ externalId: { $in: externalIds } }) : [],
  ]);
  return [...byId, ...byExternalId].map(toRecent);
}

/** Keeps the order of `ids`. */
export async function findDelayed(ids: string[]): Promise<CachedMessage[]> {
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
  return { id: _id, externalId, sequence, processedAt: processedAt?.toISOString() };
}

function toDraft(document: MessageDocument): MessageDraft {
  const { _id, conversation, organization, contact, conversationSlug, createdAt, updatedAt, ...rest } =
    document;
  const { sequence, processedAt, dueAt, delayed, editedIn, deletedAt, receiptAt, ...others } = rest;
  const { sentIds, words, ...draft } = others;
  return {
    ...draft,
    id: _id,
    createdAt: createdAt.toISOString(),
    ...definedFields({ facts: delayed?.facts }),
  };
}

/** Maximum number of message ids that a conversation shows (spec 5.1). */
export const MAX_SHOWN = 1000;

/** About 50 bytes per id. */
const MAX_CACHED_IDS = 250_000;
/** A failover or a restored backup may lose messages whose ids are cached. */
const MAX_AGE_MS = 10 * 60_000;
/** With more deleted messages, querying the remaining messages is cheaper. */
const MAX_DELETED = 2_000;

/** `sequence` is the last assigned sequence. */
interface NumberedConversation {
  id: string;
  sequence: number;
}

/** Consecutive messages from sequence `from` on, including deleted messages. */
interface IdRun {
  from: number;
  ids: readonly string[];
  until: number;
}

// A deleted message keeps its sequence, so entries stay valid.
const runs = lruMap<string, IdRun>(MAX_CACHED_IDS, ({ ids }) => ids.length);

/**
 * Returns the ids of the newest 1,000 messages in order. Reads all ids once in ten minutes, in
 * between only new and deleted ids (docs/decisions/ids-of-messages.md).
 */
export async function processedIds(
  conversations: NumberedConversation[],
): Promise<Map<string, readonly string[]>> {
  const numbered = conversations.filter(({ sequence }) => sequence > 0);
  const deleted = await findDeletedIds(numbered);
  const shown = deleted
    ? async (one: NumberedConversation) => omitDeleted(deleted, await findNumberedIds(one))
    : (one: NumberedConversation) => readIds({ ...one, above: one.sequence - MAX_SHOWN }, NOT_DELETED);
  const ids = await Promise.all(numbered.map(shown));
  const found = new Map(numbered.map(({ id }, at) => [id, ids[at] ?? []]));
  return new Map(conversations.map(({ id }) => [id, found.get(id) ?? []]));
}

/** Includes deleted messages. */
async function findNumberedIds({ id, sequence }: NumberedConversation): Promise<readonly string[]> {
  const first = Math.max(1, sequence - MAX_SHOWN + 1);
  const known = findCachedRun(id, { first, sequence });
  const above = known ? known.from + known.ids.length - 1 : first - 1;
  const added = above < sequence ? await readIds({ id, sequence, above }) : [];
  const ids = known ? known.ids.slice(first - known.from).concat(added) : added;
  // Caches complete runs only: rows are written after their commit.
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

/** Excludes `above`. Groups all ids into one document. */
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

/** Returns null above `MAX_DELETED`. */
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
