import { invalidRequest } from '../refusal.ts';
import type { Condition, ListQuery } from './tree.ts';

const LIST = 'participants';
const MEMBERS = /^participants(\.\d+)?$/;
const ROLE = /^participants(\.\d+)?\.role$/;

/**
 * Returns a query for conversations in which roles of participants of these organizations never
 * match: a reader is not shown the roles of users above (spec 5.2), and must not find them out.
 * Throws DomainError `invalid_request` for a denial, an index or an order of roles.
 */
export function hideRolesAbove<Q extends Pick<ListQuery, 'conditions' | 'sort'>>(
  query: Q,
  above: readonly string[],
): Q {
  if (above.length === 0) return query;
  const order = query.sort.find(({ path }) => ROLE.test(path));
  if (order) throw invalidRequest('sort', `"${order.path}" is not a field to sort by`);
  return { ...query, conditions: query.conditions.map((condition) => hideRoleAbove(condition, above)) };
}

function hideRoleAbove(condition: Condition, above: readonly string[]): Condition {
  const within: Condition = { path: 'organization', is: 'none of', values: above };
  if (condition.is === 'any') {
    return { ...condition, conditions: condition.conditions.map((one) => hideRoleAbove(one, above)) };
  }
  if (condition.is === 'member') {
    const roles = MEMBERS.test(condition.path)
      ? condition.conditions.filter(({ path }) => path === 'role')
      : [];
    for (const role of roles) assertNoDenial(role);
    return roles.length === 0 ? condition : { ...condition, conditions: [...condition.conditions, within] };
  }
  if (!ROLE.test(condition.path)) return condition;
  assertNoDenial(condition);
  const { lists = [] } = condition;
  return {
    path: LIST,
    lists,
    is: 'member',
    conditions: [{ ...withoutLists(condition), path: 'role' }, within],
  };
}

/** The condition without the lists that its path leads through. */
function withoutLists(condition: Condition): Condition {
  const { lists, ...test } = condition;
  return test;
}

function assertNoDenial({ path, is, indexed }: Condition): void {
  if (!indexed && is !== 'none of' && is !== 'absent') return;
  throw invalidRequest(
    path,
    'of participants is only asked for by what it is: = or a list, without an index',
  );
}
