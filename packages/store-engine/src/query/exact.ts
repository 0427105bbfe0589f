import { encodeKey } from '../bson/sort-key.ts';
import type { Value } from '../bson/value.ts';
import { RANK, isNumber, getTypeRank, toNumber } from '../bson/value.ts';
import type { Index } from '../storage/collection.ts';
import { conjunction } from './filter.ts';
import type { Conjunct, CompiledFilter } from './filter.ts';
import type { IndexBound } from './operators.ts';

/** Kinds of values whose keys are in a range exactly when the values are. */
const EXACT_KINDS: readonly number[] = [RANK.string, RANK.objectId, RANK.boolean, RANK.date];

/**
 * What the bounds on the first `used` fields of an index leave open of a filter: what they say
 * exactly, a key in them has proved.
 */
export function residualFilter(
  index: Index,
  { filter, used }: { filter: CompiledFilter; used: number },
): CompiledFilter {
  if (!filter.plain || index.truncated || index.multikey.size > 0) return filter;
  const said = index.fields.slice(0, used).map(({ name }) => name);
  const proved = said.filter((name) => isExact(filter.conjuncts.filter(({ field }) => field === name)));
  return proved.length === 0
    ? filter
    : conjunction(filter.conjuncts.filter(({ field }) => !proved.includes(field)));
}

/**
 * Whether the bounds of all conditions on one field say all that these say, neither more nor less.
 */
function isExact(conjuncts: readonly Conjunct[]): boolean {
  const own = conjuncts.flatMap(({ condition: { bound } }) => (bound ? [bound] : []));
  if (own.length < conjuncts.length) return false;
  const [first] = own;
  if (first?.kind === 'equal') return own.length === 1 || isNested(own);
  return own.every((bound) => bound.kind === 'range' && isExactRange(bound.value, own));
}

/**
 * Several lists: exact when the one that is read, the first of the shortest, is part of every
 * other.
 */
function isNested(own: readonly IndexBound[]): boolean {
  const lists = own.flatMap((bound) => (bound.kind === 'equal' ? [bound.values] : []));
  if (lists.length < own.length) return false;
  const [read, ...others] = lists.toSorted((left, right) => left.length - right.length).map(collectKeys);
  return others.every((list) => list && read && [...read].every((key) => list.has(key)));
}

/** Undefined for values that are not told apart by their keys alone. */
function collectKeys(values: readonly Value[]): Set<string> | undefined {
  if (!values.every((value) => EXACT_KINDS.includes(getTypeRank(value)))) return undefined;
  return new Set(values.map((value) => encodeKey(value).toString('latin1')));
}

/** NaN sorts below all numbers but is in no range: only a lower bound keeps it out. */
function isExactRange(value: Value, own: readonly IndexBound[]): boolean {
  if (!isNumber(value)) return EXACT_KINDS.includes(getTypeRank(value));
  if (Number.isNaN(toNumber(value))) return false;
  return own.some((bound) => bound.kind === 'range' && bound.relation.startsWith('$gt'));
}
