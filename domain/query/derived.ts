import { invalidRequest } from '../errors.ts';
import type { Condition, ListQuery, Value } from './tree.ts';

/** A field that is computed on read from a stored field. */
export interface Derived {
  path: string;
  stored: string;
  /** Returns undefined if no record can match. */
  toStored: (value: Value) => Value | undefined;
  /** Both fields are present in the same records and sorted alike. */
  alike?: true;
}

type Query = Pick<ListQuery, 'conditions' | 'sort'>;

/**
 * Throws DomainError `invalid_request` for tests that the stored field cannot answer (spec 9.3).
 */
export function translateDerived<Q extends Query>(query: Q, derived: Derived): Q {
  return {
    ...query,
    conditions: query.conditions.map((condition) => storedCondition(condition, derived)),
    sort: query.sort.map((by) => storedOrder(by, derived)),
  };
}

function storedCondition(condition: Condition, derived: Derived): Condition {
  const { path, stored, alike } = derived;
  if (condition.is === 'any') {
    return { ...condition, conditions: condition.conditions.map((one) => storedCondition(one, derived)) };
  }
  if (!isFieldOrBelow(condition.path, path)) return condition;
  const isWhole = condition.path === path;
  if (isWhole && (condition.is === 'one of' || condition.is === 'none of')) {
    const values = condition.values.flatMap((value) => derived.toStored(value) ?? []);
    return { path: stored, is: condition.is, values };
  }
  if (isWhole && alike && (condition.is === 'present' || condition.is === 'absent')) {
    return { path: stored, is: condition.is };
  }
  throw invalidRequest(condition.path, 'is only compared with whole values: =, !=, a list or a denied list');
}

function storedOrder(by: ListQuery['sort'][number], { path, stored, alike }: Derived) {
  if (!isFieldOrBelow(by.path, path)) return by;
  if (!alike) throw invalidRequest('sort', `"${by.path}" is not a field to sort by`);
  return { ...by, path: stored };
}

function isFieldOrBelow(path: string, field: string): boolean {
  return path === field || path.startsWith(`${field}.`);
}

const MEMBERS = /^participants(\.\d+)?$/;
const ROLE = /^participants(\.\d+)?\.role$/;

/**
 * Ignores roles in the organizations `above`: readers must not infer them (spec 5.2). Throws
 * DomainError `invalid_request` for a negation, index or sort of roles.
 */
export function hideRolesAbove<Q extends Query>(query: Q, above: readonly string[]): Q {
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
    const roles = MEMBERS.test(condition.path) ? condition.conditions.filter(isOnRole) : [];
    for (const role of roles) assertNoDenial(role);
    return roles.length === 0 ? condition : { ...condition, conditions: [...condition.conditions, within] };
  }
  if (!ROLE.test(condition.path)) return condition;
  assertNoDenial(condition);
  const { lists = [], ...test } = condition;
  const conditions = [{ ...test, path: 'role' }, within];
  return { path: 'participants', lists, is: 'member', conditions };
}

function isOnRole(condition: Condition): boolean {
  return condition.is === 'any' ? condition.conditions.some(isOnRole) : condition.path === 'role';
}

function assertNoDenial({ path, is, indexed }: Condition): void {
  if (!indexed && is !== 'none of' && is !== 'absent') return;
  throw invalidRequest(path, 'of participants can only be filtered with = or a list, without an index');
}
