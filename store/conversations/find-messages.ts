import { RATING_ID } from '../../domain/messages/rating.ts';
import type { SearchTerm } from '../../domain/query/search-terms.ts';
import { compileFilter } from '../queries/compile-filter.ts';
import { findPage } from '../queries/listing.ts';
import type { Condition, Count, ListQuery, Page } from '../queries/listing.ts';
import { findConversationRef } from './find-conversations.ts';
import { NOT_DELETED } from '../queries/find.ts';
import { MAX_SHOWN } from './processed-messages.ts';
import { messageModel } from './messages.ts';
import type { MessageDocument } from './messages.ts';
import { matchTerms } from './search-words.ts';
import { organizationsWithin, filterVisible } from '../queries/reach.ts';
import type { Reach } from '../queries/reach.ts';

const WORDS = { words: 0 } as const;

export async function findMessage(reach: Reach, id: string): Promise<MessageDocument | null> {
  const [found = null] = await findMessagesByIds(reach, [id]);
  return found;
}

export async function findMessagesByIds(reach: Reach, ids: readonly string[]): Promise<MessageDocument[]> {
  return filterVisible(reach, await findMessages(ids));
}

export async function isHidden(
  conversation: string,
  externalIds: readonly string[],
  user: string,
): Promise<boolean> {
  const others = { isBackchannel: true, createdBy: { $ne: user } };
  const hidden = { conversation, externalId: { $in: [...externalIds] }, ...others };
  return (await messageModel.exists(hidden)) !== null;
}

/** Returns the newest message by the contact, or the contact's newest rating. */
export async function findNewestToRate(
  conversation: string,
  form: string,
): Promise<Pick<MessageDocument, '_id' | 'type' | 'results'> | null> {
  return messageModel
    .findOne(
      {
        conversation,
        sequence: { $gt: 0 },
        $or: [
          { role: 'contact' },
          // A result of the form that an agent has filled in is no rating by the contact.
          { type: 'results', 'results.form': form, externalId: { $regex: `^${RATING_ID}` } },
        ],
      },
      { type: 1, results: 1 },
    )
    .sort({ sequence: -1 })
    .lean<Pick<MessageDocument, '_id' | 'type' | 'results'>>();
}

/** Keeps the order of the ids. */
export async function findMessages(ids: readonly string[]): Promise<MessageDocument[]> {
  if (ids.length === 0) return [];
  const found = await messageModel.find({ _id: { $in: [...ids] }, ...NOT_DELETED }).lean<MessageDocument[]>();
  const byId = new Map(found.map((message) => [message._id, message]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Includes delayed messages only in queries for unprocessed messages or ids (spec 6.4). */
export async function listMessages(reach: Reach, query: ListQuery): Promise<Page<MessageDocument>> {
  const within = { organization: { $in: await organizationsWithin(reach) }, ...NOT_DELETED };
  const includesDelayed = query.conditions.some(({ path, is }) =>
    path === 'processedAt' ? is === 'absent' : path === 'id' && is === 'one of',
  );
  // With `sequence`, the query uses the conversation's index.
  const scope = includesDelayed ? within : { ...within, sequence: { $exists: true } };
  const count = includesDelayed ? undefined : await timelineCount(reach, query.conditions);
  return findPage(messageModel, scope, { ...query, hidden: WORDS, count });
}

const DELETED_INDEX = { conversation: 1, deletedAt: 1 };

/** Counts the messages of one conversation by indexes, because messages may be large. */
async function timelineCount(reach: Reach, conditions: readonly Condition[]): Promise<Count | undefined> {
  const [one, ...others] = conditions.filter(({ path }) => path === 'conversation');
  const id = one?.is === 'one of' && one.values.length === 1 ? String(one.values[0]) : undefined;
  const isRange = conditions.every(
    (each) => each === one || (each.path === 'sequence' && each.is === 'within'),
  );
  if (id === undefined || others.length > 0 || !isRange) return undefined;
  if (!(await findConversationRef({ organization: reach.organization }, id))) return undefined;
  const filter = { $and: [compileFilter(conditions), { sequence: { $gt: 0 } }] };
  const deleted = { $and: [...filter.$and, { deletedAt: { $gt: new Date(0) } }] };
  return async (within) => {
    const [all, gone] = await Promise.all([
      messageModel.collection.countDocuments(filter, within),
      messageModel.collection.countDocuments(deleted, { ...within, hint: DELETED_INDEX }),
    ]);
    return all - gone;
  };
}

/** Returns the newest messages first. Leaves out delayed messages. */
export async function findMessagesByWords(
  reach: Reach,
  terms: readonly SearchTerm[],
  query: ListQuery,
): Promise<Page<MessageDocument>> {
  const organization = { $in: await organizationsWithin(reach) };
  const scope = { organization, ...matchTerms(terms), sequence: { $exists: true }, ...NOT_DELETED };
  const sort = [{ path: 'createdAt', descending: true }];
  return findPage(messageModel, scope, { ...query, sort, hidden: WORDS });
}

/** Returns whether the latest 1,000 messages, without the contact's, offer the payload. */
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

/** A delayed message, timer or snooze whose time has come. */
export interface Overdue {
  id: string;
  conversation: string;
  dueAt: Date;
}

export interface OverdueSearch {
  before: Date;
  after: Date | undefined;
  limit: number;
}

/** Returns the longest overdue messages first. */
export async function findOverdue({ before, after, limit }: OverdueSearch): Promise<Overdue[]> {
  const found = await messageModel
    .find(
      { dueAt: { $lt: before, ...(after ? { $gt: after } : {}) }, ...NOT_DELETED },
      { conversation: 1, dueAt: 1 },
    )
    .sort({ dueAt: 1, _id: 1 })
    .limit(limit)
    .lean<(Pick<MessageDocument, '_id' | 'conversation'> & { dueAt: Date })[]>();
  return found.map(({ _id, conversation, dueAt }) => ({ id: _id, conversation, dueAt }));
}
