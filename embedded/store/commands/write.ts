import { ObjectId } from 'bson';
import { decodeDocument } from '../bson/decode.ts';
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
import { insertRecord, removeRecord, replaceRecord } from '../storage/documents.ts';
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
  before: Doc;
  after: Doc;
  modified: boolean;
}

/** Changes one stored document; answers what it was and what it is. Throws what the update or a unique index refuses. */
export function updateFound(
  store: Store,
  { found, target, update }: { found: Found; target: Target; update: Update },
): Changed {
  const collection = collectionAt(store, target.namespace);
  const before = decodeDocument(found.bytes);
  const after = update.apply(before, { inserting: false, filter: target.filter });
  const modified = !encodeDocument(after).equals(found.bytes);
  if (modified)
    replaceRecord(store, { collection, key: found.key, record: recordOf(found.key), before, after });
  return { before, after, modified };
}

function collectionAt(store: Store, namespace: string): Collection {
  const collection = store.catalog.get(namespace);
  if (!collection) throw new StoreError('NamespaceNotFound', `ns not found: ${namespace}`);
  return collection;
}

/** Stores what an upsert makes of the filter and the update; answers the new document. */
export function upsert(store: Store, { target, update }: { target: Target; update: Update }): Doc {
  const start = docFromFilter(target.filter, update.isReplacement);
  const doc = withId(update.apply(start, { inserting: true }));
  checkId(doc.get('_id'));
  insertRecord(store, {
    collection: implicitCollection(store, target.namespace),
    bytes: encodeDocument(doc),
  });
  return doc;
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
  const doc = decodeDocument(bytes);
  const [first] = doc.keys();
  if (doc.has('_id')) checkId(doc.get('_id'));
  if (first === '_id') return bytes;
  const id = doc.get('_id') ?? new ObjectId();
  doc.delete('_id');
  return encodeDocument(new Map<string, Value>([['_id', id], ...doc]));
}
