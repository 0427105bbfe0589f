import { ObjectId } from 'bson';
import { decodeDocument } from '../bson/decode.ts';
import type { KeyValue } from '../bson/sort-key.ts';
import { EMPTY_ARRAY, encodeKeyParts } from '../bson/sort-key.ts';
import type { Doc, Value } from '../bson/value.ts';
import { isNumber } from '../bson/value.ts';
import { StoreError } from '../errors.ts';
import type { StoredCollection, Index } from '../storage/collection.ts';
import type { Storage } from '../storage/storage.ts';
import { readRecord } from '../storage/records.ts';
import { prefixKey, recordKey, readRecordNumber } from '../storage/keys.ts';
import { valueTuples } from './extract.ts';

export interface Candidate {
  collection: StoredCollection;
  index: Index;
  keys: readonly Buffer[];
  doc: Doc;
  record: number;
}

const AFTER_RECORD = Buffer.alloc(7, 255);

/** Throws DuplicateKey (11000, with keyPattern and keyValue). */
export function assertUnique(storage: Storage, candidate: Candidate): void {
  const { index, keys, record } = candidate;
  if (!index.unique) return;
  for (const values of keys) {
    const start = Buffer.concat([prefixKey(index.id), values]);
    const found = storage.environment.entries.getKeys({ start, end: Buffer.concat([start, AFTER_RECORD]) });
    for (const key of found) {
      const other = readRecordNumber(key);
      if (other === record || (index.truncated && !haveEqualValues(storage, { candidate, values, other })))
        continue;
      throw duplicateKeyError(candidate, values);
    }
  }
}

function tuplesByKey(index: Index, doc: Doc): { key: Buffer; tuple: KeyValue[] }[] {
  const paths = index.fields.map((field) => field.path);
  return valueTuples(paths, doc).tuples.map((tuple) => ({
    tuple,
    key: encodeKeyParts(
      tuple.map((value, at) => ({ value, descending: index.fields[at]?.descending ?? false })),
    ),
  }));
}

/** Compares whole values, because the keys of an index may be truncated. */
function haveEqualValues(
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

function duplicateKeyError({ collection, index, doc }: Candidate, values: Buffer): StoreError {
  const tuples = tuplesByKey(index, doc);
  const tuple = (tuples.find(({ key }) => key.equals(values)) ?? tuples[0])?.tuple ?? [];
  const keyValue = new Map(index.fields.map(({ name }, at) => [name, toReportedValue(tuple[at])]));
  const shown = [...keyValue].map(([name, value]) => `${name}: ${formatValue(value)}`).join(', ');
  return new StoreError(
    'DuplicateKey',
    `E11000 duplicate key error collection: ${collection.namespace} index: ${index.name} dup key: { ${shown} }`,
    { keyPattern: index.spec.get('key'), keyValue },
  );
}

function toReportedValue(value: KeyValue): Value {
  return value === undefined || value === EMPTY_ARRAY ? null : value;
}

function formatValue(value: Value): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (value instanceof Date) return `new Date(${value.getTime()})`;
  if (value instanceof Map)
    return `{ ${[...value].map(([name, inner]) => `${name}: ${formatValue(inner)}`).join(', ')} }`;
  if (Array.isArray(value)) return `[ ${value.map(formatValue).join(', ')} ]`;
  if (isNumber(value)) return value.toString();
  return value instanceof ObjectId ? `ObjectId('${value.toHexString()}')` : value._bsontype;
}
