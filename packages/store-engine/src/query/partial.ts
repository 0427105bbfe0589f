import { compareValues } from '../bson/sort-key.ts';
import type { Value } from '../bson/value.ts';
import { getTypeRank } from '../bson/value.ts';
import type { Index } from '../storage/collection.ts';
import type { Conjunct } from './filter.ts';
import type { IndexBound } from './operators.ts';

/** Returns whether a sparse or partial index contains every document that meets the conditions. */
export function isCovered(index: Index, conjuncts: readonly Conjunct[]): boolean {
  if (index.partial) return index.partial.conjuncts.length > 0 && isImplied(index, conjuncts);
  if (!index.sparse) return true;
  return index.fields.some(({ name }) =>
    conjuncts.some(
      ({ field, condition }) =>
        field === name && condition.bound !== undefined && excludesMissing(condition.bound),
    ),
  );
}

function isImplied(index: Index, conjuncts: readonly Conjunct[]): boolean {
  const { partial } = index;
  // Conditions below `$or` are not conjuncts, so implication cannot be proved.
  if (!partial || !partial.plain) return false;
  return partial.conjuncts.every((wanted) => conjuncts.some((given) => implies(given, wanted)));
}

function excludesMissing(bound: IndexBound): boolean {
  if (bound.kind === 'equal') return !bound.values.includes(null);
  return bound.kind !== 'range' || bound.value !== null;
}

function implies(given: Conjunct, wanted: Conjunct): boolean {
  if (given.field !== wanted.field) return false;
  const { source } = wanted.condition;
  if (!source) return false;
  if (isSame(given.condition.source, source)) return true;
  const { bound } = given.condition;
  if (!bound) return false;
  if (wanted.condition.bound?.kind === 'exists') return excludesMissing(bound);
  if (bound.kind === 'equal') {
    return bound.values.length > 0 && bound.values.every((value) => wanted.condition.test(value));
  }
  return (
    bound.kind === 'range' &&
    wanted.condition.bound?.kind === 'range' &&
    rangeImplies(bound, wanted.condition.bound)
  );
}

type OperatorSource = { operator: string; operand: Value } | undefined;

function isSame(left: OperatorSource, right: OperatorSource): boolean {
  return left?.operator === right?.operator && compareValues(left?.operand, right?.operand) === 0;
}

type RangeBound = Extract<IndexBound, { kind: 'range' }>;

function rangeImplies(given: RangeBound, wanted: RangeBound): boolean {
  if (
    getTypeRank(given.value) !== getTypeRank(wanted.value) ||
    given.relation.slice(0, 3) !== wanted.relation.slice(0, 3)
  )
    return false;
  const order = compareValues(given.value, wanted.value);
  const strictEnough = given.relation === wanted.relation || wanted.relation.length === 4;
  if (order === 0) return strictEnough;
  return given.relation.startsWith('$gt') ? order > 0 : order < 0;
}
