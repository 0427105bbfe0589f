import { Double } from 'bson';
import { decodeDocument } from '../bson/decode.ts';
import { encodeDocument } from '../bson/encode.ts';
import { notSupported } from '../errors.ts';
import { compileFilter } from '../query/filter.ts';
import type { Table } from '../storage/tables.ts';
import { measure } from '../storage/ranges.ts';
import { collectionsOf } from './namespaces.ts';
import type { Answer, Request, Store } from './request.ts';
import { checkFields, flagOf, namespaceOf, refuseScale } from './request.ts';

/** What there is and how much of it, counted while others are served. */
export async function listDatabases(store: Store, request: Request): Promise<Answer> {
  checkFields(request, ['filter', 'nameOnly', 'authorizedDatabases']);
  const filter = compileFilter(request.body.get('filter'));
  const names = [...new Set(store.catalog.all().map(({ database }) => database))].sort();
  const rows = [];
  for (const name of names)
    rows.push({ name, sizeOnDisk: new Double(await sizeOf(store, name)), empty: false });
  const wanted = rows.filter((row) => filter.matches(decodeDocument(encodeDocument(row))));
  const databases = flagOf(request.body, 'nameOnly') ? wanted.map(({ name }) => ({ name })) : wanted;
  const totalSize = new Double(wanted.reduce((sum, row) => sum + row.sizeOnDisk.value, 0));
  return flagOf(request.body, 'nameOnly') ? { databases, ok: 1 } : { databases, totalSize, ok: 1 };
}

async function sizeOf(store: Store, database: string): Promise<number> {
  const { bytes } = await measureAll(store.environment.records, collectionsOf(store, database));
  return bytes;
}

async function measureAll(
  table: Table,
  parts: readonly { id: number }[],
): Promise<{ count: number; bytes: number }> {
  const total = { count: 0, bytes: 0 };
  for (const { id } of parts) {
    const { count, bytes } = await measure(table, id);
    total.count += count;
    total.bytes += bytes;
  }
  return total;
}

export async function collStats(store: Store, request: Request): Promise<Answer> {
  checkFields(request, ['scale']);
  refuseScale(request.body);
  const namespace = namespaceOf(request);
  const collection = store.catalog.get(namespace);
  const { count, bytes } = collection
    ? await measure(store.environment.records, collection.id)
    : { count: 0, bytes: 0 };
  const indexSizes: Record<string, number> = {};
  for (const { id, name } of collection?.indexes ?? [])
    indexSizes[name] = (await measure(store.environment.entries, id)).bytes;
  const totalIndexSize = Object.values(indexSizes).reduce((sum, size) => sum + size, 0);
  const nindexes = collection?.indexes.length ?? 0;
  const avgObjSize = count > 0 ? { avgObjSize: Math.round(bytes / count) } : {};
  return {
    ns: namespace,
    size: bytes,
    count,
    ...avgObjSize,
    storageSize: bytes,
    nindexes,
    indexSizes,
    totalIndexSize,
    totalSize: bytes + totalIndexSize,
    scaleFactor: 1,
    capped: false,
    ok: 1,
  };
}

export async function dbStats(store: Store, request: Request): Promise<Answer> {
  checkFields(request, ['scale', 'freeStorage']);
  refuseScale(request.body);
  if (flagOf(request.body, 'freeStorage')) throw notSupported('freeStorage');
  const collections = collectionsOf(store, request.database);
  const { entries, records } = store.environment;
  const { count: objects, bytes: dataSize } = await measureAll(records, collections);
  const indexes = collections.flatMap((collection) => collection.indexes);
  const { bytes: indexSize } = await measureAll(entries, indexes);
  return {
    db: request.database,
    collections: collections.length,
    views: 0,
    objects,
    avgObjSize: objects > 0 ? dataSize / objects : 0,
    dataSize,
    storageSize: dataSize,
    indexes: indexes.length,
    indexSize,
    totalSize: dataSize + indexSize,
    scaleFactor: 1,
    ok: 1,
  };
}
