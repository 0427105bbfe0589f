import type { Index, StoredCollection } from './collection.ts';
import { decodeDocument } from '../bson/decode.ts';
import { encodeDocument } from '../bson/encode.ts';
import type { Doc, Value } from '../bson/value.ts';
import { isDoc, isNumber, toStringOrEmpty, toNumber } from '../bson/value.ts';
import { compileFilter } from '../query/filter.ts';
import { parsePath } from '../query/path.ts';
import type { Environment } from './environment.ts';
import { endKey, prefixKey, readRecordNumber } from './keys.ts';

const NEXT_ID = Buffer.from([0]);
const COLLECTIONS = Buffer.from([1]);
const DOOMED = Buffer.from([2]);

export function isCollectionKey(key: Buffer): boolean {
  return key[0] === COLLECTIONS[0];
}

function doomKey(id: number): Buffer {
  return Buffer.concat([DOOMED, prefixKey(id)]);
}

/** The collections and indexes. Cached in memory, and changed only inside write transactions. */
export interface Catalog {
  get(namespace: string): StoredCollection | undefined;
  all(): StoredCollection[];
  nextId(): number;
  skipUsedIds(): void;
  /** Must follow every change to the stored fields of the collection or its indexes. */
  save(collection: StoredCollection): void;
  /** Leaves the records and index entries to the caller. */
  drop(collection: StoredCollection): void;
  /** Marks the rows of a collection or an index for erasure. */
  doom(id: number): void;
  doomed(): number[];
  erased(id: number): void;
}

export function openCatalog(environment: Environment): Catalog {
  const { catalog } = environment;
  let collections = loadCollections(environment);
  environment.onRollback(() => {
    // Readers may still use the stale collections. NaN differs from every count that they have
    // read.
    for (const stale of collections.values()) stale.changes = NaN;
    collections = loadCollections(environment);
  });
  return {
    get: (namespace) => collections.get(namespace),
    all: () => [...collections.values()],
    nextId: () => {
      const id = catalog.get(NEXT_ID)?.readUInt32BE() ?? 1;
      environment.put('catalog', NEXT_ID, prefixKey(id + 1));
      return id;
    },
    skipUsedIds: () => {
      const ids = [...collections.values()].flatMap(({ id, indexes }) => [
        id,
        ...indexes.map((one) => one.id),
      ]);
      environment.put('catalog', NEXT_ID, prefixKey(Math.max(0, ...ids) + 1));
    },
    save: (collection) => {
      collections.set(collection.namespace, collection);
      environment.put(
        'catalog',
        catalogKey(collection.namespace),
        encodeDocument(serializeCollection(collection)),
      );
    },
    drop: (collection) => {
      collections.delete(collection.namespace);
      environment.remove('catalog', catalogKey(collection.namespace));
    },
    doom: (id) => {
      environment.put('catalog', doomKey(id), Buffer.alloc(0));
    },
    doomed: () => [...catalog.getKeys({ start: DOOMED })].map((key) => key.readUInt32BE(1)),
    erased: (id) => {
      environment.remove('catalog', doomKey(id));
    },
  };
}

function loadCollections(environment: Environment): Map<string, StoredCollection> {
  const collections = new Map<string, StoredCollection>();
  for (const { key, value } of environment.catalog.getRange({ start: COLLECTIONS, end: DOOMED })) {
    const namespace = key.toString('utf8', 1);
    collections.set(namespace, reviveCollection({ namespace, stored: decodeDocument(value) }, environment));
  }
  return collections;
}

function reviveCollection(
  { namespace, stored }: { namespace: string; stored: Doc },
  { records }: Environment,
): StoredCollection {
  const dot = namespace.indexOf('.');
  const id = toInteger(stored.get('id'));
  const [last] = records.getKeys({ start: endKey(id), end: prefixKey(id), reverse: true, limit: 1 });
  const indexes = stored.get('indexes');
  return {
    id,
    namespace,
    database: namespace.slice(0, dot),
    name: namespace.slice(dot + 1),
    uuid: Buffer.from(toStringOrEmpty(stored.get('uuid')), 'hex'),
    indexes: Array.isArray(indexes) ? indexes.filter(isDoc).map(reviveIndex) : [],
    nextRecord: last ? readRecordNumber(last) + 1 : 1,
    changes: 0,
  };
}

function serializeCollection(collection: StoredCollection): object {
  return {
    id: collection.id,
    uuid: collection.uuid.toString('hex'),
    indexes: collection.indexes.map(({ id, name, spec, multikey, truncated, building }) => ({
      id,
      name,
      spec,
      multikey: [...multikey],
      truncated,
      building,
    })),
  };
}

function catalogKey(namespace: string): Buffer {
  return Buffer.concat([COLLECTIONS, Buffer.from(namespace)]);
}

function toInteger(value: Value | undefined): number {
  return isNumber(value) ? toNumber(value) : 0;
}

function reviveIndex(stored: Doc): Index {
  const spec = stored.get('spec');
  const multikey = stored.get('multikey');
  return {
    ...buildIndex({
      id: toInteger(stored.get('id')),
      name: toStringOrEmpty(stored.get('name')),
      spec: isDoc(spec) ? spec : new Map<string, Value>(),
    }),
    multikey: new Set(Array.isArray(multikey) ? multikey.map(toInteger) : []),
    truncated: stored.get('truncated') === true,
    building: stored.get('building') === true,
  };
}

export function buildIndex({ id, name, spec }: { id: number; name: string; spec: Doc }): Index {
  const key = spec.get('key');
  const partial = spec.get('partialFilterExpression');
  const expire = spec.get('expireAfterSeconds');
  return {
    id,
    name,
    spec,
    fields: [...(isDoc(key) ? key : [])].map(([field, direction]) => ({
      name: field,
      path: parsePath(field),
      descending: toInteger(direction) < 0,
    })),
    // As in MongoDB, the specification of `_id_` does not contain `unique`.
    unique: name === '_id_' || spec.get('unique') === true,
    sparse: spec.get('sparse') === true,
    partial: partial === undefined ? undefined : compileFilter(partial),
    expireAfterSeconds: isNumber(expire) ? toNumber(expire) : undefined,
    multikey: new Set(),
    truncated: false,
    building: false,
  };
}
