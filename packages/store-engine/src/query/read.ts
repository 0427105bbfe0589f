import { decodeFields } from '../bson/decode.ts';
import { StoreError } from '../errors.ts';
import type { StoredCollection } from '../storage/collection.ts';
import type { Storage } from '../storage/storage.ts';
import { readRecord } from '../storage/records.ts';
import type { CompiledFilter } from './filter.ts';
import type { QueryPlan } from './plan.ts';
import type { Projection } from './projection.ts';
import { sortInSlices, buildSortKey } from './sort.ts';
import { readRecordKeys } from './scan.ts';
import type { SortField } from './sort.ts';

export interface ReadRequest {
  collection: StoredCollection;
  plan: QueryPlan;
  filter: CompiledFilter;
}

export interface FoundDocument {
  key: Buffer;
  bytes: Buffer;
}

/** `undefined` is a pause: the caller may run other work before the next item. */
export type ItemOrPause<T> = T | undefined;

const REST_EVERY_MS = 5;

const SORT_MEMORY_BYTES = 100 * 1024 * 1024;

/** Holds no transaction, so the caller may pause between two documents. */
export function* findMatching(
  storage: Storage,
  { collection, plan, filter }: ReadRequest,
): Generator<ItemOrPause<FoundDocument>> {
  let restAt = performance.now() + REST_EVERY_MS;
  const { changes } = collection;
  for (const key of readRecordKeys(storage, { collection, plan })) {
    const stored = readRecord(storage, key);
    if (!stored) continue;
    const bytes = Buffer.from(stored);
    // After a write during a pause, the document may no longer match its index key, so test the
    // whole filter.
    const asked = collection.changes === changes ? plan.rest : filter;
    if (matchesBytes(asked, bytes)) yield { key, bytes };
    else if (performance.now() > restAt) {
      yield undefined;
      restAt = performance.now() + REST_EVERY_MS;
    }
  }
}

export function matchesBytes(filter: CompiledFilter, bytes: Buffer): boolean {
  const { fields } = filter;
  return fields.size === 0 || filter.matches(decodeFields(bytes, fields));
}

export interface SortRequest {
  sort: readonly SortField[];
  sortedFields: number;
  limit: number;
}

interface Keyed extends FoundDocument {
  order: Buffer;
}

/**
 * Streams input that is already sorted. If the input is sorted by the first fields only, sorts each
 * group of documents with equal values there. Otherwise sorts everything in memory.
 */
export function* sortFound(
  input: Iterable<ItemOrPause<FoundDocument>>,
  { sort, sortedFields: done, limit }: SortRequest,
): Generator<ItemOrPause<FoundDocument>> {
  if (done >= sort.length) {
    yield* input;
    return;
  }
  const names = new Set(sort.map(({ path }) => path[0] ?? ''));
  const common = sort.slice(0, done);
  const rest = sort.slice(done);
  let group: Keyed[] = [];
  let groupKey: Buffer | undefined;
  let memory = 0;
  for (const found of input) {
    yield undefined;
    if (!found) continue;
    const doc = decodeFields(found.bytes, names);
    const key = done > 0 ? buildSortKey(doc, common) : undefined;
    if (key && groupKey && !key.equals(groupKey)) {
      yield* yield* sortInSlices(group);
      group = [];
      memory = 0;
    }
    groupKey = key;
    memory += found.bytes.length;
    group.push({ ...found, order: buildSortKey(doc, rest) });
    if (group.length >= Math.max(limit * 2, 1000)) ({ group, memory } = truncateGroup(group, limit));
    if (memory > SORT_MEMORY_BYTES) throw sortMemoryError();
  }
  yield* yield* sortInSlices(group);
}

function sortGroup(group: Keyed[]): Keyed[] {
  return group.sort((left, right) => Buffer.compare(left.order, right.order));
}

function truncateGroup(group: Keyed[], limit: number): { group: Keyed[]; memory: number } {
  const kept = Number.isFinite(limit) ? sortGroup(group).slice(0, limit) : group;
  return { group: kept, memory: kept.reduce((sum, { bytes }) => sum + bytes.length, 0) };
}

function sortMemoryError(): StoreError {
  return new StoreError(
    'QueryExceededMemoryLimitNoDiskUseAllowed',
    `Sort exceeded memory limit of ${SORT_MEMORY_BYTES} bytes, but did not opt in to external sorting.`,
  );
}

export function* paginate<T>(
  input: Iterable<ItemOrPause<T>>,
  { skip, limit }: { skip: number; limit: number },
): Generator<ItemOrPause<T>> {
  let left = limit;
  let toSkip = skip;
  if (left <= 0) return;
  for (const one of input) {
    if (one !== undefined && toSkip-- > 0) {
      yield undefined;
      continue;
    }
    yield one;
    if (one !== undefined && --left <= 0) return;
  }
}

export function* projectFound(
  input: Iterable<ItemOrPause<FoundDocument>>,
  projection: Projection | undefined,
): Generator<ItemOrPause<Buffer>> {
  for (const found of input) {
    if (!found || !projection) yield found?.bytes;
    else yield projection.projectBytes(found.bytes);
  }
}
