import type { KeyValue } from '../bson/sort-key.ts';
import { EMPTY_ARRAY, encodeLimitedKey } from '../bson/sort-key.ts';
import type { Doc, Value } from '../bson/value.ts';
import { isDoc } from '../bson/value.ts';
import { StoreError } from '../errors.ts';
import { isIndex } from '../query/path.ts';
import type { Path } from '../query/path.ts';
import type { Index } from '../storage/collection.ts';

/**
 * lmdb limits keys to 1978 bytes. About half of this limit lets several entries fit into a page.
 */
const KEY_BUDGET = 1024;

export interface Extracted {
  /** Empty when a sparse or partial index omits the document. */
  keys: Buffer[];
  multikey: readonly number[];
  truncated: boolean;
}

const NOTHING: Extracted = { keys: [], multikey: [], truncated: false };

/** Throws CannotIndexParallelArrays (171). */
export function extractKeys(index: Index, doc: Doc): Extracted {
  if (index.partial && !index.partial.matches(doc)) return NOTHING;
  const { tuples, multikey } = valueTuples(
    index.fields.map((field) => field.path),
    doc,
  );
  if (index.sparse && tuples.every((tuple) => tuple.every((value) => value === undefined))) return NOTHING;
  const limit = fieldLimit(index);
  let truncated = false;
  const keys = new Map<string, Buffer>();
  for (const tuple of tuples) {
    const parts = tuple.map((value, at) => {
      const part = encodeLimitedKey({ value, descending: index.fields[at]?.descending ?? false }, limit);
      truncated ||= part.truncated;
      return part.key;
    });
    const key = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
    keys.set(tuples.length === 1 ? '' : key.toString('latin1'), key);
  }
  return { keys: [...keys.values()], multikey, truncated };
}

export function fieldLimit(index: Index): number {
  return Math.floor(KEY_BUDGET / index.fields.length);
}

interface PathPosition {
  value: KeyValue;
  rest: Path;
  /** True once the value is final: an array in it is indexed as one value. */
  closed: boolean;
}

/** Returns one combination of values, or one for each element of an array on a path. */
export function valueTuples(paths: readonly Path[], doc: Doc): { tuples: KeyValue[][]; multikey: number[] } {
  const multikey = new Set<number>();
  const places = paths.map((path): PathPosition => ({ value: doc, rest: path, closed: false }));
  return { tuples: expand(places, multikey), multikey: [...multikey] };
}

function expand(places: readonly PathPosition[], multikey: Set<number>): KeyValue[][] {
  const arrived = places.map((place) => (place.closed ? place : walkToArray(place)));
  const opened = arrived.filter((place) => !place.closed && Array.isArray(place.value));
  const [first] = opened;
  if (!first) return [arrived.map((place) => place.value)];
  if (opened.some((place) => place.value !== first.value)) {
    throw new StoreError('CannotIndexParallelArrays', 'cannot index parallel arrays');
  }
  arrived.forEach((place, at) => opened.includes(place) && multikey.add(at));
  const array = first.value as Value[];
  const elements: KeyValue[] = array.length > 0 ? array : [EMPTY_ARRAY];
  return elements.flatMap((element) =>
    expand(
      arrived.map((place) =>
        opened.includes(place) ? placeIn(element, place.rest) : { ...place, closed: true },
      ),
      multikey,
    ),
  );
}

function placeIn(element: KeyValue, rest: Path): PathPosition {
  if (rest.length === 0) return { value: element, rest, closed: true };
  return isDoc(element) ? { value: element, rest, closed: false } : { value: undefined, rest, closed: true };
}

function walkToArray({ value, rest }: PathPosition): PathPosition {
  let here = value;
  for (let at = 0; at < rest.length; at++) {
    const step = rest[at] ?? '';
    if (isDoc(here)) here = here.get(step);
    else if (!Array.isArray(here)) return { value: undefined, rest: [], closed: false };
    else if (isIndex(step)) here = here[Number(step)];
    else return { value: here, rest: rest.slice(at), closed: false };
  }
  return { value: here, rest: [], closed: false };
}
