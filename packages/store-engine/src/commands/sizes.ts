import { Double } from 'bson';
import { decodeDocument } from '../bson/decode.ts';
import { encodeDocument } from '../bson/encode.ts';
import { compileFilter } from '../query/filter.ts';
import { measureBytes } from '../storage/ranges.ts';
import { collectionsOf } from './namespaces.ts';
import type { Answer, Request, Store } from './request.ts';
import { checkFields, flagOf } from './request.ts';

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
  let bytes = 0;
  for (const { id } of collectionsOf(store, database))
    bytes += await measureBytes(store.environment.records, id);
  return bytes;
}
