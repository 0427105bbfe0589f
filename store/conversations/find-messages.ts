import { findPage } from '../queries/listing.ts';
import type { ListQuery, Page } from '../queries/listing.ts';
import { NOT_DELETED } from '../queries/not-deleted.ts';
import { messageModel } from './messages.ts';
import type { MessageDocument } from './messages.ts';
import { organizationsWithin, visibleAmong } from '../queries/reach.ts';
import type { Reach } from '../queries/reach.ts';

/** How many ids a conversation shows (spec 5.1). */
export const MAX_SHOWN = 1000;

export async function findMessage(reach: Reach, id: string): Promise<MessageDocument | null> {
  const [found = null] = await findMessagesByIds(reach, [id]);
  return found;
}

/** Those of the messages that are within reach, in no particular order. */
export async function findMessagesByIds(reach: Reach, ids: readonly string[]): Promise<MessageDocument[]> {
  const found = await messageModel.find({ _id: { $in: [...ids] }, ...NOT_DELETED }).lean<MessageDocument[]>();
  return visibleAmong(reach, found);
}

/**
 * Whether a message of the conversation with one of these `externalId`s is on the back channel, by
 * somebody else than `user`.
 */
export async function isHidden(
  conversation: string,
  externalIds: readonly string[],
  user: string,
): Promise<boolean> {
  const others = { isBackchannel: true, createdBy: { $ne: user } };
  const hidden = { conversation, externalId: { $in: [...externalIds] }, ...others };
  return (await messageModel.exists(hidden)) !== null;
}

/** Messages by id, in the order of the ids; those that are gone are missing. */
export async function findMessages(ids: readonly string[]): Promise<MessageDocument[]> {
  if (ids.length === 0) return [];
  const found = await messageModel.find({ _id: { $in: [...ids] }, ...NOT_DELETED }).lean<MessageDocument[]>();
  const byId = new Map(found.map((message) => [message._id, message]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/**
 * Messages within reach. Those that wait for their time are shown only to a query for what is not
 * processed, or by id (spec 6.4).
 */
export async function listMessages(reach: Reach, query: ListQuery): Promise<Page<MessageDocument>> {
  const within = { organization: { $in: await organizationsWithin(reach) }, ...NOT_DELETED };
  const asksForWaiting = query.conditions.some(({ path, is }) =>
    path === 'processedAt' ? is === 'absent' : path === 'id',
  );
  // What is processed has a number: said like this, the index of a conversation's messages serves.
  const scope = asksForWaiting ? within : { ...within, sequence: { $exists: true } };
  return findPage(messageModel, scope, query);
}

/**
 * The ids of each conversation's processed messages, in order, the newest 1,000 if there are more.
 * `sequence` is the last number given in the conversation.
 */
export async function processedIds(
  conversations: { id: string; sequence: number }[],
): Promise<Map<string, string[]>> {
  // Where none was given a number none is processed.
  const short = conversations.filter(({ sequence }) => sequence > 0 && sequence <= MAX_SHOWN);
  const long = conversations.filter(({ sequence }) => sequence > MAX_SHOWN);
  const ids = new Map<string, string[]>(conversations.map(({ id }) => [id, []]));
  const all = await Promise.all([
    idsOf(short.map(({ id }) => id)),
    ...long.map(({ id, sequence }) => idsOf([id], sequence - MAX_SHOWN)),
  ]);
  for (const { _id, messages } of all.flat()) ids.set(_id, messages);
  return ids;
}

/**
 * By conversation: a list of them has thousands of ids, and a document for each would cost more
 * than all the rest of the answer.
 */
async function idsOf(conversations: string[], above = 0): Promise<{ _id: string; messages: string[] }[]> {
  if (conversations.length === 0) return [];
  return messageModel.aggregate([
    { $match: { conversation: { $in: conversations }, sequence: { $gt: above }, ...NOT_DELETED } },
    { $sort: { conversation: 1, sequence: 1 } },
    { $project: { conversation: 1 } },
    { $group: { _id: '$conversation', messages: { $push: '$_id' } } },
  ]);
}

/**
 * Whether one of the conversation's latest thousand messages, not by the contact, has a button with
 * this payload.
 */
export async function isOffered(conversation: string, payload: string): Promise<boolean> {
  const last = await messageModel
    .findOne({ conversation, sequence: { $gt: 0 } }, { sequence: 1 })
    .sort({ sequence: -1, _id: 1 })
    .lean<Pick<MessageDocument, 'sequence'>>();
  const found = await messageModel
    .findOne(
      {
        conversation,
        sequence: { $gt: (last?.sequence ?? 0) - MAX_SHOWN },
        role: { $ne: 'contact' },
        $or: [{ 'actions.payload': payload }, { 'items.actions.payload': payload }],
        ...NOT_DELETED,
      },
      { _id: 1 },
    )
    .lean();
  return found !== null;
}
