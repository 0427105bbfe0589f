import { Binary, Long, Double } from 'bson';
import { randomUUID } from 'node:crypto';
import type { Doc, Value } from '../bson/value.ts';
import { encodeDocument } from '../bson/encode.ts';
import { StoreError, notSupported } from '../errors.ts';
import { compileFilter } from '../query/filter.ts';
import type { StoredCollection } from '../storage/collection.ts';
import { buildIndex } from '../storage/catalog.ts';
import { decodeDocument } from '../bson/decode.ts';
import type { CommandReply, CommandRequest, Store } from './request.ts';
import { checkFields, parseFlag, parseNamespace } from './request.ts';
import type { Storage } from '../storage/storage.ts';
import { removeRows, measureBytes } from '../storage/ranges.ts';

const MAX_NAMESPACE = 255;

/** Must run inside a write transaction. */
export function implicitCollection(store: Store, namespace: string): StoredCollection {
  return store.catalog.get(namespace) ?? makeCollection(store, namespace);
}

function makeCollection(store: Store, namespace: string): StoredCollection {
  if (Buffer.byteLength(namespace) > MAX_NAMESPACE) {
    throw new StoreError(
      'InvalidNamespace',
      `Fully qualified namespace is too long. Namespace: ${namespace} Max: ${MAX_NAMESPACE}`,
    );
  }
  const dot = namespace.indexOf('.');
  const spec: Doc = new Map([['key', new Map([['_id', 1 as unknown as Value]])]]);
  const collection: StoredCollection = {
    id: store.catalog.nextId(),
    namespace,
    database: namespace.slice(0, dot),
    name: namespace.slice(dot + 1),
    uuid: Buffer.from(randomUUID().replaceAll('-', ''), 'hex'),
    indexes: [
      buildIndex({ id: store.catalog.nextId(), name: '_id_', spec: decodeDocument(encodeDocument(spec)) }),
    ],
    nextRecord: 1,
    changes: 0,
  };
  store.catalog.save(collection);
  return collection;
}

const CREATE_FIELDS = [
  'capped',
  'autoIndexId',
  'idIndex',
  'size',
  'max',
  'storageEngine',
  'validator',
  'validationLevel',
  'validationAction',
  'viewOn',
  'pipeline',
  'collation',
  'timeseries',
  'expireAfterSeconds',
  'clusteredIndex',
  'changeStreamPreAndPostImages',
  'encryptedFields',
];

export async function create(store: Store, request: CommandRequest): Promise<CommandReply> {
  checkFields(request, CREATE_FIELDS);
  for (const name of CREATE_FIELDS) {
    const value = request.body.get(name);
    if (
      value !== undefined &&
      value !== false &&
      !['autoIndexId', 'idIndex', 'validationLevel', 'validationAction'].includes(name)
    ) {
      throw notSupported(`collections with ${name}`);
    }
  }
  if (request.body.get('autoIndexId') === false) throw notSupported('collections without an index on _id');
  const namespace = parseNamespace(request);
  await store.environment.write(() => {
    if (store.catalog.get(namespace))
      throw new StoreError('NamespaceExists', `Collection ${namespace} already exists.`);
    makeCollection(store, namespace);
  });
  return { ok: 1 };
}

function dropCollection(store: Store, collection: StoredCollection): void {
  store.catalog.drop(collection);
  for (const { id } of [collection, ...collection.indexes]) store.catalog.doom(id);
}

export async function drop(store: Store, request: CommandRequest): Promise<CommandReply> {
  checkFields(request, []);
  const namespace = parseNamespace(request);
  const { answer, more } = await store.environment.write(() => {
    const collection = store.catalog.get(namespace);
    if (!collection) return { answer: { ok: 1 }, more: false };
    dropCollection(store, collection);
    const answer = { nIndexesWas: collection.indexes.length, ns: namespace, ok: 1 };
    return { answer, more: eraseSome(store) };
  });
  if (more) await eraseDropped(store);
  return answer;
}

function findCollections(store: Store, database: string): StoredCollection[] {
  return store.catalog
    .all()
    .filter((collection) => collection.database === database)
    .sort((left, right) => (left.name < right.name ? -1 : 1));
}

export async function dropDatabase(store: Store, request: CommandRequest): Promise<CommandReply> {
  checkFields(request, []);
  const more = await store.environment.write(() => {
    for (const collection of findCollections(store, request.database)) dropCollection(store, collection);
    return eraseSome(store);
  });
  if (more) await eraseDropped(store);
  return { dropped: request.database, ok: 1 };
}

export function listAsCursor(namespace: string, firstBatch: readonly unknown[]): CommandReply {
  return { cursor: { id: Long.ZERO, firstBatch, ns: namespace }, ok: 1 };
}

export function listCollections(store: Store, request: CommandRequest): CommandReply {
  checkFields(request, ['filter', 'nameOnly', 'authorizedCollections', 'cursor']);
  const filter = compileFilter(request.body.get('filter'));
  const rows = findCollections(store, request.database).map((collection) => {
    const idIndex = { v: 2, key: { _id: 1 }, name: '_id_' };
    const info = { readOnly: false, uuid: new Binary(collection.uuid, 4) };
    const row = { name: collection.name, type: 'collection' };
    return encodeDocument(parseFlag(request.body, 'nameOnly') ? row : { ...row, options: {}, info, idIndex });
  });
  return listAsCursor(
    `${request.database}.$cmd.listCollections`,
    rows.filter((row) => filter.matches(decodeDocument(row))),
  );
}

const ROWS_AT_ONCE = 2000;

/**
 * Erases some dropped data. Returns false when nothing is left. The catalog lists dropped data, so
 * erasing continues after a restart. Must run inside a write transaction.
 */
export function eraseSome({ catalog, environment }: Storage): boolean {
  let left = ROWS_AT_ONCE;
  for (const id of catalog.doomed()) {
    // An id belongs to a collection or to an index, so its rows are in one table only.
    for (const table of ['records', 'entries'] as const) {
      left -= removeRows(environment, { table, id, limit: left });
      if (left === 0) return true;
    }
    catalog.erased(id);
  }
  return false;
}

export async function eraseDropped(storage: Storage): Promise<void> {
  while (await storage.environment.write(() => eraseSome(storage)));
}

export async function listDatabases(store: Store, request: CommandRequest): Promise<CommandReply> {
  checkFields(request, ['filter', 'nameOnly', 'authorizedDatabases']);
  const filter = compileFilter(request.body.get('filter'));
  const names = [...new Set(store.catalog.all().map(({ database }) => database))].sort();
  const rows = [];
  for (const name of names)
    rows.push({ name, sizeOnDisk: new Double(await measureDatabase(store, name)), empty: false });
  const wanted = rows.filter((row) => filter.matches(decodeDocument(encodeDocument(row))));
  const databases = parseFlag(request.body, 'nameOnly') ? wanted.map(({ name }) => ({ name })) : wanted;
  const totalSize = new Double(wanted.reduce((sum, row) => sum + row.sizeOnDisk.value, 0));
  return parseFlag(request.body, 'nameOnly') ? { databases, ok: 1 } : { databases, totalSize, ok: 1 };
}

async function measureDatabase(store: Store, database: string): Promise<number> {
  let bytes = 0;
  for (const { id } of findCollections(store, database))
    bytes += await measureBytes(store.environment.records, id);
  return bytes;
}
