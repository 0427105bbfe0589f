import { Double } from 'bson';
import { decodeDocument } from '../bson/decode.ts';
import { encodeDocument } from '../bson/encode.ts';
import { compileFilter } from '../query/filter.ts';
import { measureBytes } from '../storage/ranges.ts';
import { findCollections } from './namespaces.ts';
import type { CommandReply, CommandRequest, Store } from './request.ts';
import { checkFields, parseFlag } from './request.ts';

/** What there is and how much of it, counted while others are served. */
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
