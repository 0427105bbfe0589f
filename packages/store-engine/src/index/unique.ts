import { ObjectId } from 'bson';
import { decodeDocument } from '../bson/decode.ts';
import type { KeyValue } from '../bson/sort-key.ts';
import { EMPTY_ARRAY, keyOfParts } from '../bson/sort-key.ts';
import type { Doc, Value } from '../bson/value.ts';
import { isNumber } from '../bson/value.ts';
import { StoreError } from '../errors.ts';
import type { Collection, Index } from '../storage/collection.ts';
import type { Storage } from '../storage/storage.ts';
import { readRecord } from '../storage/records.ts';
import { prefixOf, recordKey, recordOf } from '../storage/keys.ts';
import { valueTuples } from './extract.ts';

export interface Candidate {
  collection: Collection;
  index: Index;
  /** The keys that the document would add. */
  keys: readonly Buffer[];
  doc: Doc;
  record: number;
}

const AFTER_RECORD = Buffer.alloc(7, 255);

/**
 * Throws DuplicateKey (11000, with keyPattern and keyValue) when another document has one of the
 * keys in a unique index.
 */
export function refuseDuplicate(storage: Storage, candidate: Candidate): void {
  const { index, keys, record } = candidate;
  if (!index.unique) return;
  for (const values of keys) {
    const start = Buffer.concat([prefixOf(index.id), values]);
    const found = storage.environment.entries.getKeys({ start, end: Buffer.concat([start, AFTER_RECORD]) });
    for (const key of found) {
      const other = recordOf(key);
      if (other === record || (index.truncated && !reallyEqual(storage, { candidate, values, other })))
        continue;
      throw duplicate(candidate, values);
    }
  }
}

function tuplesByKey(index: Index, doc: Doc): { key: Buffer; tuple: KeyValue[] }[] {
  const paths = index.fields.map((field) => field.path);
  return valueTuples(paths, doc).tuples.map((tuple) => ({
    tuple,
    key: keyOfParts(tuple.map((value, at) => ({ value, descending: index.fields[at]?.descending ?? false }))),
  }));
}

/** Keys that were cut prove nothing: compare the whole values of both documents. */
function reallyEqual(
  storage: Storage,
  { candidate, other }: { candidate: Candidate; values: Buffer; other: number },
): boolean {
  const bytes = readRecord(storage, recordKey(candidate.collection.id, other));
  if (!bytes) return false;
  const theirs = tuplesByKey(candidate.index, decodeDocument(bytes));
  return tuplesByKey(candidate.index, candidate.doc).some(({ key }) =>
    theirs.some((their) => their.key.equals(key)),
  );
}

function duplicate({ collection, index, doc }: Candidate, values: Buffer): StoreError {
  const tuples = tuplesByKey(index, doc);
  const tuple = (tuples.find(({ key }) => key.equals(values)) ?? tuples[0])?.tuple ?? [];
  const keyValue = new Map(index.fields.map(({ name }, at) => [name, shownAs(tuple[at])]));
  const shown = [...keyValue].map(([name, value]) => `${name}: ${show(value)}`).join(', ');
  return new StoreError(
    'DuplicateKey',
    `E11000 duplicate key error collection: ${collection.namespace} index: ${index.name} dup key: { ${shown} }`,
    { keyPattern: index.spec.get('key'), keyValue },
  );
}

/** A missing value and an empty array have no value of their own to name. */
function shownAs(value: KeyValue): Value {
  return value === undefined || value === EMPTY_ARRAY ? null : value;
}

function show(value: Value): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (value instanceof Date) return `new Date(${value.getTime()})`;
  if (value instanceof Map)
    return `{ ${[...value].map(([name, inner]) => `${name}: ${show(inner)}`).join(', ')} }`;
  if (Array.isArray(value)) return `[ ${value.map(show).join(', ')} ]`;
  if (isNumber(value)) return value.toString();
  return value instanceof ObjectId ? `ObjectId('${value.toHexString()}')` : value._bsontype;
}
