import type { StoredCollection } from '../storage/collection.ts';
import type { LmdbTable } from '../storage/tables.ts';
import { endKey, prefixKey, recordKey, readRecordNumber } from '../storage/keys.ts';
import type { Storage } from '../storage/storage.ts';
import type { Interval } from '../index/bounds.ts';
import type { QueryPlan } from './plan.ts';

const FIRST_CHUNK = 32;
const MAX_CHUNK = 1024;

/** Reads each chunk separately, so that a cursor may pause without holding a transaction. */
function* readKeys(
  table: LmdbTable,
  { interval, reverse }: { interval: Interval; reverse: boolean },
): Generator<Buffer> {
  let { from, to } = interval;
  for (let limit = FIRST_CHUNK; ; limit = Math.min(limit * 4, MAX_CHUNK)) {
    const range = reverse ? { start: to, end: from, reverse } : { start: from, end: to };
    // One extra key: the first key may be the last key of the previous chunk.
    const keys = [...table.getKeys({ ...range, limit: limit + 1 })];
    const [first] = keys;
    if (first?.equals(reverse ? to : from)) keys.shift();
    yield* keys;
    const last = keys.at(-1);
    if (!last || keys.length < limit) return;
    if (reverse) to = last;
    else from = last;
  }
}

export function* readRecordKeys(
  storage: Storage,
  { collection, plan }: { collection: StoredCollection; plan: QueryPlan },
): Generator<Buffer> {
  const { index, reverse } = plan;
  const { records, entries } = storage.environment;
  if (!index) {
    yield* readKeys(records, {
      interval: { from: prefixKey(collection.id), to: endKey(collection.id) },
      reverse,
    });
    return;
  }
  const seen = index.multikey.size > 0 ? new Set<number>() : undefined;
  for (const key of plan.merge ? mergedKeys(entries, plan) : serialKeys(entries, plan)) {
    const record = readRecordNumber(key);
    if (seen?.has(record)) continue;
    seen?.add(record);
    yield recordKey(collection.id, record);
  }
}

function* serialKeys(entries: LmdbTable, { intervals, reverse }: QueryPlan): Generator<Buffer> {
  if (intervals.length > 1 && !reverse) yield* skippingKeys(entries, intervals);
  else
    for (const interval of reverse ? intervals.toReversed() : intervals)
      yield* readKeys(entries, { interval, reverse });
}

/**
 * Skips empty intervals: the first key at or after an interval's start shows the next interval with
 * keys.
 */
function* skippingKeys(entries: LmdbTable, intervals: readonly Interval[]): Generator<Buffer> {
  const end = intervals.at(-1)?.to ?? BEHIND_ALL;
  let at = 0;
  for (;;) {
    const interval = intervals[at];
    const [next] = interval ? entries.getKeys({ start: interval.from, end, limit: 1 }) : [];
    if (!next) return;
    while (Buffer.compare(next, intervals[at]?.to ?? BEHIND_ALL) >= 0) at++;
    const found = intervals[at];
    if (!found) return;
    if (Buffer.compare(next, found.from) < 0) continue;
    yield* readKeys(entries, { interval: found, reverse: false });
    at++;
  }
}

const BEHIND_ALL = Buffer.alloc(16, 255);

interface KeySource {
  keys: Generator<Buffer>;
  head: Buffer;
  prefix: number;
}

function* mergedKeys(entries: LmdbTable, { intervals, prefixes, reverse }: QueryPlan): Generator<Buffer> {
  const sources = intervals.flatMap((interval, at): KeySource[] => {
    const keys = readKeys(entries, { interval, reverse });
    const first = keys.next();
    return first.done ? [] : [{ keys, head: first.value, prefix: prefixes[at] ?? 0 }];
  });
  while (sources.length > 0) {
    const at = nextSource(sources, reverse);
    const source = sources[at];
    if (!source) return;
    yield source.head;
    const next = source.keys.next();
    if (next.done) sources.splice(at, 1);
    else source.head = next.value;
  }
}

function nextSource(sources: readonly KeySource[], reverse: boolean): number {
  let best = 0;
  for (let at = 1; at < sources.length; at++) {
    const order = compareTails(sources[at], sources[best]);
    if (reverse ? order > 0 : order < 0) best = at;
  }
  return best;
}

function compareTails(left: KeySource | undefined, right: KeySource | undefined): number {
  if (!left || !right) return 0;
  return left.head.compare(right.head, right.prefix, right.head.length, left.prefix, left.head.length);
}
