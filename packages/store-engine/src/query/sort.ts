import type { Doc, Value } from '../bson/value.ts';
import { isDoc, isNumber, toNumber } from '../bson/value.ts';
import type { KeyValue } from '../bson/sort-key.ts';
import { keyOf, keyOfParts } from '../bson/sort-key.ts';
import { badValue, notSupported } from '../errors.ts';
import type { Path } from './path.ts';
import { parsePath, valuesForSort } from './path.ts';

export interface SortField {
  name: string;
  path: Path;
  descending: boolean;
}

/** Reads `{ a: 1, b: -1 }`; throws BadValue for anything that is no direction. */
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
 * A key whose bytes order documents by `fields`; of an array the smallest element counts, or
 * descending the largest.
 */
export function sortKeyOf(doc: Doc, fields: readonly SortField[]): Buffer {
  return keyOfParts(
    fields.map(({ path, descending }) => ({
      value: extreme(valuesForSort(doc, path), descending),
      descending,
    })),
  );
}

function extreme(values: readonly KeyValue[], largest: boolean): KeyValue {
  if (values.length === 1) return values[0];
  let best = values[0];
  let bestKey = keyOf(best);
  for (const value of values.slice(1)) {
    const key = keyOf(value);
    const order = Buffer.compare(key, bestKey);
    if (largest ? order > 0 : order < 0) {
      best = value;
      bestKey = key;
    }
  }
  return best;
}
