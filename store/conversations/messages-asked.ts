import { onStored } from '../../domain/query/derived.ts';
import type { Condition, ListQuery } from '../../domain/query/tree.ts';
import { NOT_DELETED } from '../queries/not-deleted.ts';
import { messageModel } from './messages.ts';

const MESSAGES = 'messages';

/**
 * A query for conversations, with what it says of `messages` said of their ids: a message belongs
 * to one conversation. Messages that wait for their time are not among those of theirs (spec 5.1).
 * Throws DomainError `invalid_request` for what cannot be said so.
 */
export async function onConversations(query: ListQuery): Promise<ListQuery> {
  const named = query.conditions.flatMap(namedIn);
  const conversations = named.length > 0 ? await conversationsOf(named) : new Map<unknown, string>();
  return onStored(query, { path: MESSAGES, stored: 'id', storedOf: (id) => conversations.get(id) });
}

function namedIn(condition: Condition): string[] {
  if (condition.is === 'any') return condition.conditions.flatMap(namedIn);
  const isNamed = condition.path === MESSAGES && (condition.is === 'one of' || condition.is === 'none of');
  return isNamed ? condition.values.filter((value) => typeof value === 'string') : [];
}

async function conversationsOf(ids: string[]): Promise<Map<unknown, string>> {
  const found = await messageModel.collection
    .find(
      { _id: { $in: ids }, sequence: { $exists: true }, ...NOT_DELETED },
      {
        projection: { conversation: 1 },
      },
    )
    .toArray();
  return new Map(found.map(({ _id, conversation }) => [_id, conversation]));
}
