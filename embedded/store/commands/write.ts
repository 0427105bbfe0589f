import { ObjectId } from 'bson';
import { checkDocument } from '../bson/check.ts';
import { decodeDocument, decodePartly, decodeValue, walk } from '../bson/decode.ts';
import { encodeDocument } from '../bson/encode.ts';
import type { Doc, Value } from '../bson/value.ts';
import { isDoc } from '../bson/value.ts';
import { StoreError } from '../errors.ts';
import type { Filter } from '../query/filter.ts';
import type { Plan } from '../query/plan.ts';
import { plan } from '../query/plan.ts';
import type { Found } from '../query/read.ts';
import { matchesBytes, matching, page, sorted } from '../query/read.ts';
import { parseSort } from '../query/sort.ts';
import type { Collection } from '../storage/catalog.ts';
import { indexedFields, insertRecord, removeRecord, replaceRecord } from '../storage/documents.ts';
import { recordOf } from '../storage/keys.ts';
import { readRecord } from '../storage/records.ts';
import type { Update } from '../update/update.ts';
import { docFromFilter, withId } from '../update/update.ts';
import { hintedIndex } from './find.ts';
import { implicitCollection } from './namespaces.ts';
import type { Store } from './request.ts';

export interface Target {
  namespace: string;
  filter: Filter;
  sort?: Value | undefined;
  hint?: Value | undefined;
}

/** Which documents a write changes, found inside the write transaction. */
export function targets(store: Store, { target, limit }: { target: Target; limit: number }): Found[] {
  const collection = store.catalog.get(target.namespace);
  if (!collection) return [];
  const sort = parseSort(target.sort);
  const chosen: Plan = plan(collection, {
    filter: target.filter,
    sort,
    hint: hintedIndex(collection, target.hint),
  });
  const found = matching(store, { collection, plan: chosen, filter: target.filter });
  const chosenOnes = page(sorted(found, { sort, sorted: chosen.sorted, limit }), { skip: 0, limit });
  return [...chosenOnes].filter((one) => one !== undefined);
}

export interface Changed {
  /** The document as it is now. */
  bytes: Buffer;
  modified: boolean;
}

/** Changes one stored document and answers what it is. Throws what the update or a unique index refuses. */
export function updateFound(
  store: Store,
  { found, target, update }: { found: Found; target: Target; update: Update },
): Changed {
  const collection = collectionAt(store, target.namespace);
  const before = decodeFor(found.bytes, { collection, target, update });
  const after = update.apply(before, { inserting: false, filter: target.filter });
  const bytes = encodeDocument(after);
  const modified = !bytes.equals(found.bytes);
  if (modified)
    replaceRecord(store, { collection, key: found.key, record: recordOf(found.key), before, after, bytes });
  return { bytes, modified };
}

/** The stored document, decoded as far as the update and the indexes need it. */
function decodeFor(
  bytes: Buffer,
  { collection, target, update }: { collection: Collection; target: Target; update: Update },
): Doc {
  const indexed = indexedFields(collection.indexes);
  const filtered = update.isPositional ? target.filter.fields : NONE;
  return indexed && filtered
    ? decodePartly(bytes, new Set([...update.fields, ...indexed, ...filtered]))
    : decodeDocument(bytes);
}

const NONE: ReadonlySet<string> = new Set();

function collectionAt(store: Store, namespace: string): Collection {
  const collection = store.catalog.get(namespace);
  if (!collection) throw new StoreError('NamespaceNotFound', `ns not found: ${namespace}`);
  return collection;
}

/** Stores what an upsert makes of the filter and the update; answers the new document and its `_id`. */
export function upsert(
  store: Store,
  { target, update }: { target: Target; update: Update },
): { id: Value; bytes: Buffer } {
  const start = docFromFilter(target.filter, update.isReplacement);
  const doc = withId(update.apply(start, { inserting: true }));
  const id = doc.get('_id') ?? null;
  checkId(id);
  const bytes = encodeDocument(doc);
  insertRecord(store, { collection: implicitCollection(store, target.namespace), bytes });
  return { id, bytes };
}

/** Removes a document that was found; false when it is no longer there. */
export function removeFound(store: Store, { found, target }: { found: Found; target: Target }): void {
  removeRecord(store, {
    collection: collectionAt(store, target.namespace),
    key: found.key,
    record: recordOf(found.key),
  });
}

/** The document as it is now, if it still matches: between two transactions of one statement others may have changed it. */
export function refreshed(
  store: Store,
  { found, target }: { found: Found; target: Target },
): Found | undefined {
  const stored = readRecord(store, found.key);
  if (!stored) return undefined;
  const bytes = Buffer.from(stored);
  return matchesBytes(target.filter, bytes) ? { key: found.key, bytes } : undefined;
}

/** Refuses an `_id` that MongoDB does not allow. */
export function checkId(id: Value | undefined): void {
  if (Array.isArray(id)) throw new StoreError('InvalidIdField', `The '_id' value cannot be of type array`);
  if (typeof id === 'object' && id !== null && '_bsontype' in id && id._bsontype === 'BSONRegExp') {
    throw new StoreError('InvalidIdField', `The '_id' value cannot be of type regex`);
  }
  if (isDoc(id) && [...id.keys()].some((name) => name.startsWith('$'))) {
    throw new StoreError('DollarPrefixedFieldName', `_id fields may not contain '$'-prefixed fields`);
  }
}

/** Checks a document that is to be inserted and gives it an `_id` in the first place, changing its bytes only if it must. */
export function preparedForInsert(bytes: Buffer): Buffer {
  checkDocument(bytes);
  const { first, id: own } = idOf(bytes);
  checkId(own);
  if (first === '_id') return bytes;
  const doc = decodeDocument(bytes);
  const id = own ?? new ObjectId();
  doc.delete('_id');
  return encodeDocument(new Map<string, Value>([['_id', id], ...doc]));
}

/** The name of the first field, and the `_id`. */
function idOf(bytes: Buffer): { first: string | undefined; id: Value | undefined } {
  let first: string | undefined;
  let id: Value | undefined;
  walk({ bytes, offset: 0 }, (element) => {
    first ??= element.name;
    if (element.name === '_id') id = decodeValue(bytes, element, 0);
    return id === undefined;
  });
  return { first, id };
}
