import { translateDerived } from '../../domain/query/derived.ts';
import type { Condition, ListQuery } from '../../domain/query/tree.ts';
import { NOT_DELETED } from '../queries/find.ts';
import { messageModel } from './messages.ts';

const MESSAGES = 'messages';

/**
 * Replaces conditions on `messages` by conditions on the conversation's id. Ignores delayed
 * messages (spec 5.1). Throws DomainError `invalid_request` for other conditions.
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
