import type { Bound, Condition, FieldPath, Relation } from '../../domain/query/tree.ts';

export type Filter = Record<string, unknown>;

/** All operators that a caller's query can compile to. */
export const OPERATORS = [
  '$and',
  '$or',
  '$in',
  '$nin',
  '$not',
  '$elemMatch',
  '$exists',
  '$gt',
  '$gte',
  '$lt',
  '$lte',
  '$regex',
  '$options',
] as const;

// Null and an empty list count as absent (spec 9.3).
const ABSENT = [null, []];
const PRESENT = { $nin: ABSENT };

const RELATIONS: Record<Relation, string> = {
  greater: '$gt',
  'greater or equal': '$gte',
  less: '$lt',
  'less or equal': '$lte',
};

/**
 * Returns the store's filter (spec 9.2). Dotted conditions on one list are OR-combined. Names and
 * values come from the caller, operators never do.
 */
export function compileFilter(conditions: readonly Condition[]): Filter {
  return matchAll(conditions.map(toStored));
}

function toStored(condition: Condition): Condition {
  const stored = { ...condition, path: storedPath(condition.path) };
  return stored.is === 'any' ? { ...stored, conditions: stored.conditions.map(toStored) } : stored;
}

function matchAll(conditions: readonly Condition[]): Filter {
  const groups = new Map<string, Filter[]>();
  for (const condition of conditions) {
    const list = getOuterList(condition) ?? '';
    groups.set(list, [...(groups.get(list) ?? []), toFilter(condition)]);
  }
  const { '': certain = [], ...ofLists } = Object.fromEntries(groups);
  const filters = [...certain, ...Object.values(ofLists).map(matchAny)];
  const [only] = filters;
  return filters.length > 1 ? { $and: filters } : (only ?? {});
}

function matchAny(filters: Filter[]): Filter {
  const [only] = filters;
  return filters.length > 1 ? { $or: filters } : (only ?? {});
}

export function storedPath(path: string): string {
  return path === 'id' ? '_id' : path;
}

function getOuterList({ lists, indexed }: FieldPath): string | undefined {
  return indexed ? undefined : lists?.[0];
}

function toFilter(condition: Condition): Filter {
  const { path } = condition;
  switch (condition.is) {
    case 'one of':
      return { [path]: { $in: condition.values } };
    case 'none of':
      return { [path]: { $nin: condition.values } };
    case 'present':
      return condition.indexed ? matchExists(condition, true) : matchSomeMember(condition, PRESENT);
    case 'absent':
      return matchAbsent(condition);
    case 'within':
      return matchWithin(condition, condition.bounds);
    case 'like':
      return { [path]: { $regex: condition.pattern, ...(condition.ignoreCase ? { $options: 'i' } : {}) } };
    case 'member':
      return { [path]: { $elemMatch: matchAll(condition.conditions) } };
    case 'any':
      return { $or: condition.conditions.map(toFilter) };
  }
}

/** Returns the innermost list of a path. */
function memberPath({ path, lists }: FieldPath): { list: string; inner: string } | undefined {
  const list = lists?.at(-1);
  return list === undefined ? undefined : { list, inner: path.slice(list.length + 1) };
}

function matchSomeMember(place: FieldPath, test: Filter): Filter {
  const member = memberPath(place);
  if (!member) return { [place.path]: test };
  return { [member.list]: { $elemMatch: { [member.inner]: test } } };
}

// `$exists`, because MongoDB also reads a number in a path as a field name of every list member.
function matchExists({ path }: FieldPath, $exists: boolean): Filter {
  return { [path]: { $exists } };
}

function matchAbsent(place: FieldPath): Filter {
  const member = memberPath(place);
  if (member) return { [member.list]: { $not: { $elemMatch: { [member.inner]: PRESENT } } } };
  return place.indexed ? matchExists(place, false) : { [place.path]: { $in: ABSENT } };
}

// Two bounds must match the same element of a list.
function matchWithin(place: FieldPath, bounds: readonly Bound[]): Filter {
  const test = Object.fromEntries(bounds.map(({ relation, value }) => [RELATIONS[relation], value]));
  if (bounds.length === 1) return { [place.path]: test };
  return matchSomeMember(place, place.list ? { $elemMatch: test } : test);
}
