import { translateDerived } from '../../domain/query/derived.ts';
import type { Condition, ListQuery } from '../../domain/query/tree.ts';
import { NOT_DELETED } from '../queries/find.ts';
import { messageModel } from './messages.ts';

const MESSAGES = 'messages';

/**
 * A query for conversations, with what it says of `messages` said of their ids: a message belongs
 * to one conversation. Messages that wait for their time are not among those of theirs (spec 5.1).
 * Throws DomainError `invalid_request` for what cannot be said so.
 */
export async function resolveMessageConditions(query: ListQuery): Promise<ListQuery> {
  const named = query.conditions.flatMap(collectMessageIds);
  const conversations = named.length > 0 ? await findConversationIds(named) : new Map<unknown, string>();
  return translateDerived(query, { path: MESSAGES, stored: 'id', toStored: (id) => conversations.get(id) });
}

function collectMessageIds(condition: Condition): string[] {
  if (condition.is === 'any') return condition.conditions.flatMap(collectMessageIds);
  const isNamed = condition.path === MESSAGES && (condition.is === 'one of' || condition.is === 'none of');
  return isNamed ? condition.values.filter((value) => typeof value === 'string') : [];
}

async function findConversationIds(ids: string[]): Promise<Map<unknown, string>> {
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
