import type { Doc, Value } from '../bson/value.ts';
import { isDoc, isNumber, toNumber } from '../bson/value.ts';
import type { KeyValue } from '../bson/sort-key.ts';
import { encodeKeyParts } from '../bson/sort-key.ts';
import { StoreError, badValue, notSupported } from '../errors.ts';
import { valueTuples } from '../index/extract.ts';
import type { Path } from './path.ts';
import { parsePath } from './path.ts';

export interface SortField {
  name: string;
  path: Path;
  descending: boolean;
}

export function parseSort(spec: Value | undefined): SortField[] {
  if (spec === undefined || spec === null) return [];
  if (!isDoc(spec)) throw badValue('the sort specification must be an object');
  return [...spec].map(([name, direction]) => {
    if (isDoc(direction)) throw notSupported('sort by $meta');
    if (name === '$natural') throw notSupported('sort by $natural');
    const way = isNumber(direction) ? toNumber(direction) : 0;
    if (way !== 1 && way !== -1)
      throw badValue(`$sort key ordering must be 1 (for ascending) or -1 (for descending)`);
    if (name === '' || name.startsWith('$'))
      throw badValue(`FieldPath field names may not start with '$' or be empty: '${name}'`);
    return { name, path: parsePath(name), descending: way === -1 };
  });
}

/**
 * Returns a sort key. An array counts as its first element in sort order, as in an index. Throws
 * BadValue for parallel arrays.
 */
export function buildSortKey(doc: Doc, fields: readonly SortField[]): Buffer {
  const paths = fields.map(({ path }) => path);
  const [first, ...more] = collectTuples(paths, doc).map((tuple) =>
    encodeKeyParts(fields.map(({ descending }, at) => ({ value: tuple[at], descending }))),
  );
  return more.reduce(
    (least, key) => (Buffer.compare(key, least) < 0 ? key : least),
    first ?? Buffer.alloc(0),
  );
}

function collectTuples(paths: readonly Path[], doc: Doc): KeyValue[][] {
  try {
    return valueTuples(paths, doc).tuples;
  } catch (error) {
    if (!(error instanceof StoreError) || error.codeName !== 'CannotIndexParallelArrays') throw error;
    throw badValue('cannot sort with keys that are parallel arrays');
  }
}
interface Ordered {
  order: Buffer;
}

const RUN = 4096;

/** Sorts stably, with pauses in which other commands run. */
export function* sortInSlices<T extends Ordered>(items: readonly T[]): Generator<undefined, T[]> {
  let runs: T[][] = [];
  for (let at = 0; at < items.length; at += RUN) {
    runs.push(items.slice(at, at + RUN).sort((left, right) => Buffer.compare(left.order, right.order)));
    if (items.length > RUN) yield undefined;
  }
  while (runs.length > 1) {
    const longer: T[][] = [];
    for (let at = 0; at < runs.length; at += 2)
      longer.push(yield* mergeRuns(runs[at] ?? [], runs[at + 1] ?? []));
    runs = longer;
  }
  return runs[0] ?? [];
}

function* mergeRuns<T extends Ordered>(left: readonly T[], right: readonly T[]): Generator<undefined, T[]> {
  const result: T[] = [];
  let [l, r] = [0, 0];
  for (;;) {
    const [one, other] = [left[l], right[r]];
    if (!one || !other) return result.concat(left.slice(l), right.slice(r));
    if (Buffer.compare(one.order, other.order) <= 0) {
      result.push(one);
      l++;
    } else {
      result.push(other);
      r++;
    }
    if (result.length % RUN === 0) yield undefined;
  }
}
