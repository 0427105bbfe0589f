import { NOT_DELETED } from '../queries/not-deleted.ts';
import { messageModel } from './messages.ts';
import type { MessageDocument } from './messages.ts';

/** A message that waits though its time has come. */
export interface Overdue {
  id: string;
  conversation: string;
  dueAt: Date;
}

/**
 * Messages that should have been processed before a time, those that wait longest first, at most
 * `limit`; after `after`, if given.
 */
export async function findOverdue({
  before,
  after,
  limit,
}: {
  before: Date;
  after: Date | undefined;
  limit: number;
}): Promise<Overdue[]> {
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
