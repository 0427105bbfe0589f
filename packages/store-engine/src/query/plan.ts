import { fieldLimit } from '../index/extract.ts';
import type { Interval } from '../index/bounds.ts';
import { intersect, computeInterval, encodeEqualKey } from '../index/bounds.ts';
import type { Value } from '../bson/value.ts';
import type { StoredCollection, Index } from '../storage/collection.ts';
import { endKey, prefixKey } from '../storage/keys.ts';
import { isCovered } from './partial.ts';
import type { Conjunct, CompiledFilter } from './filter.ts';
import type { IndexBound } from './operators.ts';
import type { SortField } from './sort.ts';
import { encodeKey } from '../bson/sort-key.ts';
import { RANK, isNumber, getTypeRank, toNumber } from '../bson/value.ts';
import { conjunction } from './filter.ts';

export interface QueryPlan {
  /** If undefined, the plan scans the whole collection in insertion order. */
  index: Index | undefined;
  /** Ascending and disjoint. */
  intervals: readonly Interval[];
  reverse: boolean;
  /** Number of leading sort fields that the order of the keys fulfils. */
  sorted: number;
  /** Whether the intervals must be merged, by the part of each key after its prefix. */
  merge: boolean;
  prefixes: readonly number[];
  /** The filter part that the index does not guarantee. */
  rest: CompiledFilter;
}

const MAX_INTERVALS = 1000;

/** Only a unique index whose fields all have equality or `$in` scores higher. */
const ONE_DOCUMENT = 900;

interface IndexBounds {
  intervals: Interval[];
  /** Positions of fields with the same single value in all intervals. */
  constants: Set<number>;
  /** Number of leading fields bound by equality or `$in`. */
  equalities: number;
  ranges: number;
  prefixes: number[];
}

/** Prefers the index that narrows the search most, then an index that sorts. */
export function plan(collection: StoredCollection, { filter, sort, hint }: PlanQuery): QueryPlan {
  if (hint === 'natural') return fullScan(filter);
  const usable = collection.indexes.filter((index) => !index.building && isCovered(index, filter.conjuncts));
  const candidates = hint ? collection.indexes.filter((index) => index === hint) : usable;
  let best: Candidate | undefined;
  for (const index of candidates) {
    if (!hint && !isUsable(index, { filter, sort })) continue;
    const candidate = planFor(index, { filter, sort });
    if (!best || candidate.score > best.score) best = candidate;
    if (candidate.score > ONE_DOCUMENT) break;
  }
  if (!best || (best.score <= 0 && !hint)) return fullScan(filter);
  const { index, plan, used } = best;
  return { ...plan, index, rest: residualFilter(index, { filter, used }) };
}

interface Candidate {
  index: Index;
  plan: Omit<QueryPlan, 'index' | 'rest'>;
  score: number;
  used: number;
}

function isUsable(index: Index, { filter, sort }: PlanQuery): boolean {
  const first = index.fields[0]?.name;
  return sort[0]?.name === first || filter.conjuncts.some(({ field }) => field === first);
}

export interface PlanQuery {
  filter: CompiledFilter;
  sort: readonly SortField[];
  hint?: Index | 'natural' | undefined;
}

export function fullScan(filter: CompiledFilter): QueryPlan {
  return {
    index: undefined,
    intervals: [],
    reverse: false,
    sorted: 0,
    merge: false,
    prefixes: [],
    rest: filter,
  };
}

function planFor(index: Index, { filter, sort }: PlanQuery): Candidate {
  const bounds = boundsFor(index, filter.conjuncts);
  const order = chooseOrder(index, { bounds, sort });
  const unique = index.unique && bounds.equalities === index.fields.length ? 1000 : 0;
  const score =
    unique + bounds.equalities * 20 + bounds.ranges * 12 + (order.sorted > 0 ? 9 + order.sorted : 0);
  const plan = { intervals: bounds.intervals, prefixes: bounds.prefixes, ...order };
  const used = bounds.equalities + bounds.ranges;
  return { index, plan, score: score > 0 ? score - index.fields.length / 100 : 0, used };
}

function boundsFor(index: Index, conjuncts: readonly Conjunct[]): IndexBounds {
  const start = prefixKey(index.id);
  const bounds: IndexBounds = { intervals: [], constants: new Set(), equalities: 0, ranges: 0, prefixes: [] };
  let prefixes: Buffer[] = [start];
  for (let at = 0; at < index.fields.length; at++) {
    const own = selectFieldBounds(index, { at, conjuncts });
    const keys = equalKeys(index, { at, own });
    if (keys && keys.length * prefixes.length <= MAX_INTERVALS) {
      prefixes = prefixes.flatMap((prefix) => keys.map((key) => Buffer.concat([prefix, key])));
      if (keys.length === 1) bounds.constants.add(at);
      bounds.equalities++;
      continue;
    }
    const range = computeRange(index, { at, own });
    if (range) return withRange(bounds, { prefixes, range });
    break;
  }
  bounds.prefixes = prefixes.map((prefix) => prefix.length);
  bounds.intervals = prefixes.map((prefix) => ({
    from: prefix,
    to: prefix.length === 4 ? endKey(index.id) : Buffer.concat([prefix, Buffer.alloc(7, 255)]),
  }));
  return bounds;
}

function withRange(
  bounds: IndexBounds,
  { prefixes, range }: { prefixes: Buffer[]; range: Interval },
): IndexBounds {
  const empty = Buffer.compare(range.from, range.to) >= 0;
  return {
    ...bounds,
    ranges: 1,
    prefixes: empty ? [] : prefixes.map((prefix) => prefix.length),
    intervals: empty
      ? []
      : prefixes.map((prefix) => ({
          from: Buffer.concat([prefix, range.from]),
          to: Buffer.concat([prefix, range.to]),
        })),
  };
}

/**
 * Returns the bounds of a field. For an array field, returns at most one bound, because two
 * elements may meet two conditions, and none if an earlier index field is below the same array.
 */
function selectFieldBounds(
  index: Index,
  { at, conjuncts }: { at: number; conjuncts: readonly Conjunct[] },
): IndexBound[] {
  const field = index.fields[at];
  const bounds = conjuncts.flatMap(({ field: name, condition }) =>
    name === field?.name && condition.bound ? [condition.bound] : [],
  );
  if (!index.multikey.has(at)) return bounds;
  const root = field?.path[0];
  if (index.fields.slice(0, at).some((before) => before.path[0] === root)) return [];
  return bounds.filter((bound) => bound.kind !== 'exists').slice(0, 1);
}

function equalKeys(
  index: Index,
  { at, own }: { at: number; own: readonly IndexBound[] },
): Buffer[] | undefined {
  const lists = own.flatMap((bound) => (bound.kind === 'equal' ? [bound.values] : equalByRange(bound)));
  const [shortest] = lists.toSorted((left, right) => left.length - right.length);
  if (!shortest) return undefined;
  const field = { descending: index.fields[at]?.descending ?? false, limit: fieldLimit(index) };
  const keys = shortest
    .map((value) => encodeEqualKey(value, field))
    .sort((left, right) => Buffer.compare(left, right));
  return keys.filter((key, position) => position === 0 || !keys[position - 1]?.equals(key));
}

function equalByRange(bound: IndexBound): (readonly Value[])[] {
  return bound.kind === 'range' && bound.value === null ? [[null]] : [];
}

function computeRange(
  index: Index,
  { at, own }: { at: number; own: readonly IndexBound[] },
): Interval | undefined {
  const field = { descending: index.fields[at]?.descending ?? false, limit: fieldLimit(index) };
  const intervals = own
    .map((bound) => computeInterval(bound, field))
    .filter((interval) => interval !== undefined);
  return intervals.length > 0 ? intervals.reduce(intersect) : undefined;
}

type Order = Pick<QueryPlan, 'reverse' | 'sorted' | 'merge'>;

const UNORDERED: Order = { reverse: false, sorted: 0, merge: false };

function chooseOrder(
  index: Index,
  { bounds, sort }: { bounds: IndexBounds; sort: readonly SortField[] },
): Order {
  if (sort.length === 0 || index.truncated) return UNORDERED;
  const serial = matchOrder(index, { bounds, sort, from: 0 });
  if (bounds.intervals.length < 2) return { ...serial, merge: false };
  const merged = matchOrder(index, { bounds, sort, from: bounds.equalities });
  return merged.sorted > serial.sorted ? { ...merged, merge: true } : { ...serial, merge: false };
}

interface OrderQuery {
  bounds: IndexBounds;
  sort: readonly SortField[];
  /** Position of the first index field that orders the keys. */
  from: number;
}

function matchOrder(index: Index, { bounds, sort, from }: OrderQuery): Order {
  let at = from;
  let sorted = 0;
  let reverse: boolean | undefined;
  for (const field of sort) {
    const constant = index.fields.findIndex((own) => own.name === field.name);
    if (constant !== -1 && bounds.constants.has(constant) && !index.multikey.has(constant)) {
      sorted++;
      continue;
    }
    while (bounds.constants.has(at)) at++;
    const own = index.fields[at];
    if (own?.name !== field.name || index.multikey.has(at)) break;
    const opposite = own.descending !== field.descending;
    if (reverse !== undefined && reverse !== opposite) break;
    reverse = opposite;
    at++;
    sorted++;
  }
  return { reverse: reverse ?? false, sorted, merge: false };
}

/** Types whose keys are in a range exactly when the values are. */
const EXACT_KINDS: readonly number[] = [RANK.string, RANK.objectId, RANK.boolean, RANK.date];

/** Returns the part of the filter that the first `used` index fields do not already guarantee. */
function residualFilter(
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

function isExact(conjuncts: readonly Conjunct[]): boolean {
  const own = conjuncts.flatMap(({ condition: { bound } }) => (bound ? [bound] : []));
  if (own.length < conjuncts.length) return false;
  const [first] = own;
  if (first?.kind === 'equal') return own.length === 1 || isNested(own);
  return own.every((bound) => bound.kind === 'range' && isExactRange(bound.value, own));
}

/** Returns whether all `$in` lists contain the shortest list, which the scan reads. */
function isNested(own: readonly IndexBound[]): boolean {
  const lists = own.flatMap((bound) => (bound.kind === 'equal' ? [bound.values] : []));
  if (lists.length < own.length) return false;
  const [read, ...others] = lists.toSorted((left, right) => left.length - right.length).map(collectKeys);
  return others.every((list) => list && read && [...read].every((key) => list.has(key)));
}

/** Returns undefined when the keys alone do not distinguish the values. */
function collectKeys(values: readonly Value[]): Set<string> | undefined {
  if (!values.every((value) => EXACT_KINDS.includes(getTypeRank(value)))) return undefined;
  return new Set(values.map((value) => encodeKey(value).toString('latin1')));
}

/** Requires a lower bound for numbers: NaN sorts below all numbers but is in no range. */
function isExactRange(value: Value, own: readonly IndexBound[]): boolean {
  if (!isNumber(value)) return EXACT_KINDS.includes(getTypeRank(value));
  if (Number.isNaN(toNumber(value))) return false;
  return own.some((bound) => bound.kind === 'range' && bound.relation.startsWith('$gt'));
}
