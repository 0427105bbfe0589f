import { decodeDocument } from '../bson/decode.ts';
import { encodeDocument } from '../bson/encode.ts';
import type { Doc } from '../bson/value.ts';
import { StoreError } from '../errors.ts';
import type { StoredCollection, Index } from '../storage/collection.ts';
import { buildIndex } from '../storage/catalog.ts';
import { fillIndex } from '../storage/documents.ts';
import { recordKey } from '../storage/keys.ts';
import { eraseDropped, implicitCollection } from './namespaces.ts';
import type { Store } from './request.ts';

const RECORDS_AT_ONCE = 500;

export interface UnfinishedIndex {
  id: number;
  from: Buffer;
}

/**
 * Creates an index and fills it with the first documents. Returns the position from which
 * `finishBuild` continues, or undefined if the index is complete. Removes the index and throws if a
 * document cannot be indexed. Must run inside a write transaction.
 */
export function beginBuild(
  store: Store,
  { namespace, name, spec }: { namespace: string; name: string; spec: Doc },
): UnfinishedIndex | undefined {
  const collection = implicitCollection(store, namespace);
  const own = decodeDocument(encodeDocument(spec));
  const index = { ...buildIndex({ id: store.catalog.nextId(), name, spec: own }), building: true };
  collection.indexes = [...collection.indexes, index];
  store.catalog.save(collection);
  try {
    const from = fillSome(store, { namespace, id: index.id, from: recordKey(0, 0) });
    return from && { id: index.id, from };
  } catch (error) {
    abandonBuild(store, { namespace, id: index.id });
    throw error;
  }
}

export async function finishBuild(
  store: Store,
  { namespace, unfinished }: { namespace: string; unfinished: UnfinishedIndex },
): Promise<void> {
  const { id } = unfinished;
  try {
    for (let at: Buffer | undefined = unfinished.from; at;) {
      const from: Buffer = at;
      at = await store.environment.write(() => fillSome(store, { namespace, id, from }));
    }
  } catch (error) {
    await store.environment.write(() => abandonBuild(store, { namespace, id }));
    throw error;
  } finally {
    if (store.catalog.doomed().length > 0) await eraseDropped(store);
  }
}

interface Build {
  namespace: string;
  id: number;
}

function fillSome(store: Store, { namespace, id, from }: Build & { from: Buffer }): Buffer | undefined {
  const { collection, index } = findBuild(store, { namespace, id });
  const last = fillIndex(store, { collection, index, from, limit: RECORDS_AT_ONCE });
  if (last) return last;
  index.building = false;
  store.catalog.save(collection);
  return undefined;
}

function findBuild(store: Store, { namespace, id }: Build): { collection: StoredCollection; index: Index } {
  const collection = store.catalog.get(namespace);
  const index = collection?.indexes.find((one) => one.id === id);
  if (collection && index) return { collection, index };
  throw new StoreError(
    'IndexBuildAborted',
    `The collection was dropped while its index was built: ${namespace}`,
  );
}

function abandonBuild(store: Store, { namespace, id }: Build): void {
  const collection = store.catalog.get(namespace);
  if (!collection?.indexes.some((index) => index.id === id)) return;
  collection.indexes = collection.indexes.filter((index) => index.id !== id);
  store.catalog.save(collection);
  store.catalog.doom(id);
}

/** Removes unfinished indexes and dropped data that a crash left behind. */
export async function abandonBuilds(store: Store): Promise<void> {
  for (const { namespace, indexes } of store.catalog.all()) {
    for (const { id, building } of indexes)
      if (building) await store.environment.write(() => abandonBuild(store, { namespace, id }));
  }
  if (store.catalog.doomed().length > 0) await eraseDropped(store);
}
