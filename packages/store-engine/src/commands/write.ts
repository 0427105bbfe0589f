import type { WriteTarget } from './search.ts';
import { ObjectId } from 'bson';
import { decodeDocument, decodePartly, decodeValue, MAX_DEPTH } from '../bson/decode.ts';
import { encodeDocument } from '../bson/encode.ts';
import type { Doc, Value } from '../bson/value.ts';
import { isDoc } from '../bson/value.ts';
import { walk, invalidBsonError } from '../bson/walk.ts';
import { StoreError } from '../errors.ts';
import type { FoundDocument } from '../query/read.ts';
import { matchesBytes } from '../query/read.ts';
import type { StoredCollection } from '../storage/collection.ts';
import { indexedFields, insertRecord, removeRecord, replaceRecord } from '../storage/documents.ts';
import { readRecordNumber } from '../storage/keys.ts';
import { readRecord } from '../storage/records.ts';
import type { Update } from '../update/update.ts';
import { docFromFilter, withId } from '../update/update.ts';
import { implicitCollection } from './namespaces.ts';
import type { Store } from './request.ts';
import { findForWrite, isLongSearch, searchKeys } from './search.ts';

/** Must run inside the write transaction that changes the documents. */
export function findTargets(store: Store, wanted: { target: WriteTarget; limit: number }): FoundDocument[] {
  return [...findForWrite(store, wanted)].filter((one) => one !== undefined);
}

const MAX_ATTEMPTS = 3;

/**
 * Runs `change` in a write transaction. A long search runs before the transaction, which checks the
 * found document again. After MAX_ATTEMPTS failed checks, the transaction searches.
 */
export async function changeOne<T>(
  store: Store,
  { target, change }: { target: WriteTarget; change: (found: FoundDocument | undefined) => T },
): Promise<T> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS && isLongSearch(store, target); attempt++) {
    const [key] = await searchKeys(store, { target, limit: 1 });
    const result = await store.environment.write(() => {
      const still = key && reloadFound(store, { key, target });
      return key && !still ? undefined : { value: change(still) };
    });
    if (result) return result.value;
  }
  return store.environment.write(() => change(findTargets(store, { target, limit: 1 })[0]));
}

export interface UpdateResult {
  bytes: Buffer;
  modified: boolean;
}

export function updateFound(
  store: Store,
  { found, target, update }: { found: FoundDocument; target: WriteTarget; update: Update },
): UpdateResult {
  const collection = getCollection(store, target.namespace);
  const before = decodeFor(found.bytes, { collection, update });
  const after = update.apply(before, { inserting: false });
  const bytes = encodeDocument(after);
  const modified = !bytes.equals(found.bytes);
  if (modified)
    replaceRecord(store, {
      collection,
      key: found.key,
      record: readRecordNumber(found.key),
      before,
      after,
      bytes,
    });
  return { bytes, modified };
}

function decodeFor(
  bytes: Buffer,
  { collection, update }: { collection: StoredCollection; update: Update },
): Doc {
  return decodePartly(bytes, new Set([...update.fields, ...indexedFields(collection.indexes)]));
}

function getCollection(store: Store, namespace: string): StoredCollection {
  const collection = store.catalog.get(namespace);
  if (!collection) throw new StoreError('NamespaceNotFound', `ns not found: ${namespace}`);
  return collection;
}

export function upsert(
  store: Store,
  { target, update }: { target: WriteTarget; update: Update },
): { id: Value; bytes: Buffer } {
  const start = docFromFilter(target.filter, update.isReplacement);
  const doc = withId(update.apply(start, { inserting: true }));
  const id = doc.get('_id') ?? null;
  checkId(id);
  const bytes = encodeDocument(doc);
  insertRecord(store, { collection: implicitCollection(store, target.namespace), bytes });
  return { id, bytes };
}

export function removeFound(
  store: Store,
  { found, target }: { found: FoundDocument; target: WriteTarget },
): void {
  removeRecord(store, {
    collection: getCollection(store, target.namespace),
    key: found.key,
    record: readRecordNumber(found.key),
  });
}

/** Returns undefined if the document no longer exists or no longer matches. */
export function reloadFound(
  store: Store,
  { key, target }: { key: Buffer; target: WriteTarget },
): FoundDocument | undefined {
  const stored = readRecord(store, key);
  if (!stored) return undefined;
  const bytes = Buffer.from(stored);
  return matchesBytes(target.filter, bytes) ? { key, bytes } : undefined;
}

function checkId(id: Value | undefined): void {
  if (Array.isArray(id)) throw new StoreError('InvalidIdField', `The '_id' value cannot be of type array`);
  if (typeof id === 'object' && id !== null && '_bsontype' in id && id._bsontype === 'BSONRegExp') {
    throw new StoreError('InvalidIdField', `The '_id' value cannot be of type regex`);
  }
  if (isDoc(id) && [...id.keys()].some((name) => name.startsWith('$'))) {
    throw new StoreError('DollarPrefixedFieldName', `_id fields may not contain '$'-prefixed fields`);
  }
}

/** Moves `_id` to the front, or adds an `_id`. Throws StoreError for an invalid document. */
export function prepareForInsert(bytes: Buffer): Buffer {
  checkDocument(bytes);
  const { first, id: own } = readId(bytes);
  checkId(own);
  if (first === '_id') return bytes;
  const doc = decodeDocument(bytes);
  const id = own ?? new ObjectId();
  doc.delete('_id');
  return encodeDocument(new Map<string, Value>([['_id', id], ...doc]));
}

function readId(bytes: Buffer): { first: string | undefined; id: Value | undefined } {
  let first: string | undefined;
  let id: Value | undefined;
  walk({ bytes, offset: 0 }, (element) => {
    first ??= element.name;
    if (element.name === '_id') id = decodeValue(bytes, element, 0);
    return id === undefined;
  });
  return { first, id };
}

function checkDocument(bytes: Buffer): void {
  check({ bytes, offset: 0, depth: 0 });
}

function check({ bytes, offset, depth }: { bytes: Buffer; offset: number; depth: number }): void {
  if (depth > MAX_DEPTH) throw new StoreError('Overflow', `Document exceeds ${MAX_DEPTH} levels of nesting`);
  walk({ bytes, offset }, (element) => {
    switch (element.type) {
      case 0x01:
      case 0x07:
      case 0x08:
      case 0x0a:
      case 0x10:
      case 0x12:
        return true;
      case 0x02:
        if (element.end - element.start < 5 || bytes[element.end - 1] !== 0)
          throw invalidBsonError('a string without end');
        return true;
      case 0x03:
      case 0x04:
        check({ bytes, offset: element.start, depth: depth + 1 });
        return true;
      default:
        decodeValue(bytes, element, depth);
        return true;
    }
  });
}
