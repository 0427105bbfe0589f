import { compareValues } from '../bson/sort-key.ts';
import { encodeDocument } from '../bson/encode.ts';
import { decodeDocument } from '../bson/decode.ts';
import type { Doc, Value } from '../bson/value.ts';
import { isDoc, isNumber, toStringOrEmpty, toNumber } from '../bson/value.ts';
import { StoreError, notSupported } from '../errors.ts';
import type { StoredCollection, Index } from '../storage/collection.ts';
import type { UnfinishedIndex } from './build-index.ts';
import { beginBuild, finishBuild } from './build-index.ts';
import { eraseDropped, eraseSome, implicitCollection, listAsCursor } from './namespaces.ts';
import type { CommandReply, CommandRequest, Store } from './request.ts';
import { checkFields, parseDocuments, parseNamespace } from './request.ts';

const STORED_OPTIONS = ['key', 'unique', 'sparse', 'partialFilterExpression', 'expireAfterSeconds', 'hidden'];
/** Options that are not part of the stored specification. */
const IGNORED_OPTIONS = ['name', 'v', 'background', 'ns'];

/**
 * Throws NotImplemented (238) for an unsupported kind of index, and CannotCreateIndex (67) or a
 * similar error for an invalid specification.
 */
function readSpec(sent: Doc): { name: string; spec: Doc } {
  const key = sent.get('key');
  if (!isDoc(key) || key.size === 0)
    throw new StoreError('CannotCreateIndex', 'Index keys cannot be an empty object or missing');
  for (const [field, direction] of key) checkField(field, direction);
  for (const [name, value] of sent) {
    if (STORED_OPTIONS.includes(name) || IGNORED_OPTIONS.includes(name)) continue;
    if (name === 'collation' && isDoc(value) && value.get('locale') === 'simple') continue;
    throw name === 'collation' || name === 'weights' || name === 'wildcardProjection'
      ? notSupported(`indexes with ${name}`)
      : new StoreError(
          'InvalidIndexSpecificationOption',
          `The field '${name}' is not valid for an index specification.`,
        );
  }
  if (sent.get('hidden') === true) throw notSupported('hidden indexes');
  const name = sent.get('name');
  if (typeof name !== 'string' || name === '')
    throw new StoreError('CannotCreateIndex', 'index names cannot be missing or empty');
  const spec = new Map(
    [...sent].filter(
      ([option, value]) =>
        option === 'key' || (STORED_OPTIONS.includes(option) && value !== false && value !== null),
    ),
  );
  checkOptions(spec, key);
  return { name, spec };
}

function checkField(field: string, direction: Value): void {
  if (typeof direction === 'string') throw notSupported(`${direction} indexes`);
  if (!isNumber(direction) || toNumber(direction) === 0 || Number.isNaN(toNumber(direction))) {
    throw new StoreError(
      'CannotCreateIndex',
      `Values in the index key pattern cannot be 0 or of another type than number: ${field}`,
    );
  }
  if (field.includes('$**')) throw notSupported('wildcard indexes');
  if (field === '' || field.split('.').some((step) => step === '' || step.startsWith('$'))) {
    throw new StoreError('CannotCreateIndex', `Index key contains an illegal field name: '${field}'`);
  }
}

function checkOptions(spec: Doc, key: Doc): void {
  const partial = spec.get('partialFilterExpression');
  if (partial !== undefined && !isDoc(partial))
    throw new StoreError('TypeMismatch', 'partialFilterExpression must be an object');
  if (partial !== undefined && spec.get('sparse') === true) {
    throw new StoreError('CannotCreateIndex', `cannot mix "partialFilterExpression" and "sparse" options`);
  }
  const expire = spec.get('expireAfterSeconds');
  if (expire === undefined) return;
  if (!isNumber(expire) || toNumber(expire) < 0)
    throw new StoreError(
      'CannotCreateIndex',
      `TTL index 'expireAfterSeconds' option must be a number that is not negative`,
    );
  if (key.size > 1)
    throw new StoreError(
      'CannotCreateIndex',
      'TTL indexes are single-field indexes, compound indexes do not support TTL',
    );
}

export async function createIndexes(store: Store, request: CommandRequest): Promise<CommandReply> {
  checkFields(request, ['indexes', 'commitQuorum', 'ignoreUnknownIndexOptions']);
  const namespace = parseNamespace(request);
  const wanted = parseDocuments(request, 'indexes').map(readSpec);
  // Requests run one after another: a request for an index under construction waits.
  const made = store.building.then(() => makeIndexes(store, { namespace, wanted }));
  store.building = made.catch(() => undefined);
  return made;
}

interface IndexBatch {
  namespace: string;
  wanted: readonly { name: string; spec: Doc }[];
}

async function makeIndexes(store: Store, { namespace, wanted }: IndexBatch): Promise<CommandReply> {
  const existing = store.catalog.get(namespace);
  const before = existing?.indexes.length ?? 1;
  for (;;) {
    const unfinished = await store.environment.write(() => createQuickIndexes(store, { namespace, wanted }));
    if (!unfinished) break;
    await finishBuild(store, { namespace, unfinished });
  }
  const after = store.catalog.get(namespace)?.indexes.length ?? 0;
  const note = before === after ? { note: 'all indexes already exist' } : {};
  return {
    numIndexesBefore: before,
    numIndexesAfter: after,
    createdCollectionAutomatically: !existing,
    ...note,
    ok: 1,
  };
}

/**
 * Creates indexes until an index is too large for one transaction. Returns that unfinished index.
 */
function createQuickIndexes(store: Store, { namespace, wanted }: IndexBatch): UnfinishedIndex | undefined {
  const collection = implicitCollection(store, namespace);
  for (const { name, spec } of wanted) {
    if (hasSameIndex(collection, { name, spec })) continue;
    const unfinished = beginBuild(store, { namespace, name, spec });
    if (unfinished) return unfinished;
  }
  return undefined;
}

/**
 * Throws if the name belongs to an index with another specification, or the key and filter to an
 * index with another name.
 */
function hasSameIndex(collection: StoredCollection, { name, spec }: { name: string; spec: Doc }): boolean {
  const isId = compareValues(spec.get('key'), collection.indexes[0]?.spec.get('key')) === 0;
  if (isId) return true;
  const sameName = collection.indexes.find((index) => index.name === name);
  if (sameName) {
    if (sameSpec(sameName.spec, spec)) return true;
    throw new StoreError(
      'IndexKeySpecsConflict',
      `An existing index has the same name as the requested index. Requested index: ${name}`,
    );
  }
  const sameKey = collection.indexes.find(
    (index) =>
      compareValues(index.spec.get('key'), spec.get('key')) === 0 &&
      compareValues(index.spec.get('partialFilterExpression'), spec.get('partialFilterExpression')) === 0,
  );
  if (!sameKey) return false;
  throw new StoreError('IndexOptionsConflict', `Index already exists with a different name: ${sameKey.name}`);
}

function sameSpec(left: Doc, right: Doc): boolean {
  return STORED_OPTIONS.every((option) => compareValues(left.get(option), right.get(option)) === 0);
}

function describeIndex(index: Index): Doc {
  return decodeDocument(
    encodeDocument({
      v: 2,
      key: index.spec.get('key'),
      name: index.name,
      ...Object.fromEntries([...index.spec].filter(([option]) => option !== 'key')),
    }),
  );
}

export function listIndexes(store: Store, request: CommandRequest): CommandReply {
  checkFields(request, ['cursor']);
  const namespace = parseNamespace(request);
  const collection = store.catalog.get(namespace);
  if (!collection) throw new StoreError('NamespaceNotFound', `ns does not exist: ${namespace}`);
  return listAsCursor(namespace, collection.indexes.filter((index) => !index.building).map(describeIndex));
}

export async function dropIndexes(store: Store, request: CommandRequest): Promise<CommandReply> {
  checkFields(request, ['index']);
  const namespace = parseNamespace(request);
  const wanted = request.body.get('index');
  const { before, more } = await store.environment.write(() => {
    const collection = store.catalog.get(namespace);
    if (!collection) throw new StoreError('NamespaceNotFound', `ns not found ${namespace}`);
    const count = collection.indexes.length;
    const dropped = findNamedIndexes(collection, wanted);
    for (const index of dropped) store.catalog.doom(index.id);
    collection.indexes = collection.indexes.filter((index) => !dropped.includes(index));
    store.catalog.save(collection);
    return { before: count, more: eraseSome(store) };
  });
  if (more) await eraseDropped(store);
  return { nIndexesWas: before, ok: 1 };
}

function findNamedIndexes(collection: StoredCollection, wanted: Value | undefined): Index[] {
  if (wanted === '*') return collection.indexes.slice(1);
  const list = Array.isArray(wanted) ? wanted : [wanted];
  return list.map((one) => {
    const found = collection.indexes.find((index) =>
      isDoc(one) ? compareValues(index.spec.get('key'), one) === 0 : index.name === one,
    );
    if (!found) throw new StoreError('IndexNotFound', `index not found with name [${toStringOrEmpty(one)}]`);
    if (found === collection.indexes[0]) throw new StoreError('InvalidOptions', 'cannot drop _id index');
    return found;
  });
}
