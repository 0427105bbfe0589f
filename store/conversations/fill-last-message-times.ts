import { inBatches } from '../queries/batches.ts';
import { conversationModel } from './conversations.ts';
import type { ConversationDocument } from './conversations.ts';

/**
 * Gives conversations of earlier releases, which have no `lastMessageAt`, the time of their last
 * change, so that lists sorted by it keep them in the order that they had. Repeatable; resolves to
 * false where `goesOn` ended it early.
 */
export async function fillLastMessageTimes(goesOn: () => boolean): Promise<boolean> {
  const filter = { lastMessageAt: { $exists: false }, updatedAt: { $exists: true } };
  return inBatches<ConversationDocument>(conversationModel, { filter, goesOn, visit: fill });
}

// A workflow may commit at the same time: it sets `lastMessageAt`, or changes `updatedAt`.
async function fill({ _id, updatedAt }: ConversationDocument): Promise<void> {
  await conversationModel.collection.updateOne(
    { _id, updatedAt, lastMessageAt: { $exists: false } },
    { $set: { lastMessageAt: updatedAt } },
  );
}
