import { decodeFields } from '../bson/decode.ts';
import type { Doc } from '../bson/value.ts';
import { StoreError } from '../errors.ts';
import { extractKeys } from '../index/extract.ts';
import { assertUnique } from '../index/unique.ts';
import type { StoredCollection, Index } from './collection.ts';
import { entryKey, recordKey } from './keys.ts';
import type { Storage } from './storage.ts';
import { MAX_DOCUMENT_BYTES, readRecord, writeRecord } from './records.ts';

const NO_VALUE = Buffer.alloc(0);

/** Returns the top-level fields that index maintenance decodes. */
export function indexedFields(indexes: readonly Index[]): ReadonlySet<string> {
  const known = fieldsOfIndexes.get(indexes);
  if (known) return known;
  const fields = collectIndexedFields(indexes);
  fieldsOfIndexes.set(indexes, fields);
  return fields;
}

const fieldsOfIndexes = new WeakMap<readonly Index[], ReadonlySet<string>>();

function collectIndexedFields(indexes: readonly Index[]): Set<string> {
  const names = new Set<string>();
  for (const index of indexes) {
    for (const { path } of index.fields) names.add(path[0] ?? '');
    for (const name of index.partial?.fields ?? []) names.add(name);
  }
  return names;
}

function indexedPart(bytes: Buffer, indexes: readonly Index[]): Doc {
  return decodeFields(bytes, indexedFields(indexes));
}

function checkSize(bytes: Buffer): void {
  if (bytes.length <= MAX_DOCUMENT_BYTES) return;
  throw new StoreError(
    'BSONObjectTooLarge',
    `BSONObj size: ${bytes.length} is invalid. Size must be between 0 and ${MAX_DOCUMENT_BYTES}(16MB)`,
  );
}

interface IndexChange {
  index: Index;
  keys: Buffer[];
  multikey: readonly number[];
  truncated: boolean;
}

/** Throws DuplicateKey (11000) before any change. */
export function insertRecord(
  storage: Storage,
  { collection, bytes }: { collection: StoredCollection; bytes: Buffer },
): void {
  checkSize(bytes);
  const doc = indexedPart(bytes, collection.indexes);
  const record = collection.nextRecord;
  const changes = collection.indexes.map((index): IndexChange => ({ index, ...extractKeys(index, doc) }));
  for (const { index, keys } of changes) assertUnique(storage, { collection, index, keys, doc, record });
  collection.nextRecord++;
  writeRecord(storage, { key: recordKey(collection.id, record), bytes });
  for (const change of changes) addEntries(storage, { collection, change, record });
}

function addEntries(
  storage: Storage,
  { collection, change, record }: { collection: StoredCollection; change: IndexChange; record: number },
): void {
  const { index, keys } = change;
  for (const values of keys) {
    storage.environment.put('entries', entryKey({ index: index.id, values, record }), NO_VALUE);
  }
  recordIndexShape(storage, { collection, change });
}

/** Must run in the transaction of the entry that changes the flags. */
function recordIndexShape(
  storage: Storage,
  { collection, change }: { collection: StoredCollection; change: IndexChange },
): void {
  const { index, multikey, truncated } = change;
  if (multikey.every((at) => index.multikey.has(at)) && (index.truncated || !truncated)) return;
  for (const at of multikey) index.multikey.add(at);
  index.truncated ||= truncated;
  storage.catalog.save(collection);
}

export interface Replacement {
  collection: StoredCollection;
  key: Buffer;
  record: number;
  before: Doc;
  after: Doc;
  bytes: Buffer;
}

/** Throws DuplicateKey (11000) before any change. */
export function replaceRecord(
  storage: Storage,
  { collection, key, record, before, after, bytes }: Replacement,
): void {
  checkSize(bytes);
  const changes = collection.indexes
    .filter((index) => affectsIndex(index, { before, after }))
    .map((index) => diffEntries({ index, before, after }));
  for (const { change } of changes) {
    assertUnique(storage, { collection, index: change.index, keys: change.keys, doc: after, record });
  }
  collection.changes++;
  writeRecord(storage, { key, bytes });
  for (const { change, gone } of changes) {
    removeEntries(storage, { index: change.index, keys: gone, record });
    addEntries(storage, { collection, change, record });
  }
}

function affectsIndex(index: Index, { before, after }: { before: Doc; after: Doc }): boolean {
  const changed = (name: string): boolean => before.get(name) !== after.get(name);
  const filtered = [...(index.partial?.fields ?? [])];
  return filtered.some(changed) || hasChangedField(index, changed);
}

function hasChangedField(index: Index, changed: (name: string) => boolean): boolean {
  return index.fields.some(({ path }) => changed(path[0] ?? ''));
}

function diffEntries({ index, before, after }: { index: Index; before: Doc; after: Doc }): {
  change: IndexChange;
  gone: Buffer[];
} {
  const old = extractKeys(index, before).keys;
  const next = extractKeys(index, after);
  const isIn = (key: Buffer, keys: readonly Buffer[]): boolean => keys.some((other) => other.equals(key));
  if (old.length + next.keys.length > 32) return { change: { index, ...next }, gone: old };
  return {
    change: { index, ...next, keys: next.keys.filter((key) => next.truncated || !isIn(key, old)) },
    gone: old.filter((key) => next.truncated || !isIn(key, next.keys)),
  };
}

function removeEntries(
  storage: Storage,
  { index, keys, record }: { index: Index; keys: readonly Buffer[]; record: number },
): void {
  for (const values of keys)
    storage.environment.remove('entries', entryKey({ index: index.id, values, record }));
}

export function removeRecord(
  storage: Storage,
  { collection, key, record }: { collection: StoredCollection; key: Buffer; record: number },
): void {
  const bytes = readRecord(storage, key);
  if (!bytes) return;
  collection.changes++;
  const doc = indexedPart(bytes, collection.indexes);
  for (const index of collection.indexes)
    removeEntries(storage, { index, keys: extractKeys(index, doc).keys, record });
  storage.environment.remove('records', key);
}

/**
 * Indexes the next `limit` documents after `from`. Returns the last record key, or undefined at the
 * end. Throws the errors of an insert.
 */
export function fillIndex(
  storage: Storage,
  {
    collection,
    index,
    from,
    limit,
  }: { collection: StoredCollection; index: Index; from: Buffer; limit: number },
): Buffer | undefined {
  const first = recordKey(collection.id, 0);
  const start = from.compare(first) > 0 ? from : first;
  const end = recordKey(collection.id + 1, 0);
  const keys = [...storage.environment.records.getKeys({ start, end, limit: limit + 1 })];
  const rest = keys.filter((key) => !key.equals(start));
  for (const key of rest) fillFrom(storage, { collection, index, key });
  return rest.length < limit ? undefined : rest.at(-1);
}

function fillFrom(
  storage: Storage,
  { collection, index, key }: { collection: StoredCollection; index: Index; key: Buffer },
): void {
  const bytes = readRecord(storage, key);
  if (!bytes) return;
  const record = key.readUIntBE(4, 6);
  const doc = indexedPart(bytes, [index]);
  const change = { index, ...extractKeys(index, doc) };
  assertUnique(storage, { collection, index, keys: change.keys, doc, record });
  addEntries(storage, { collection, change, record });
}
