import type { Database, RootDatabase } from 'lmdb';
import { open } from 'lmdb';
import type { TableName } from './digest.ts';
import { Damage } from './digest.ts';

export type LmdbTable = Database<Buffer, Buffer>;

/**
 * `records` contains documents by collection and record number, `entries` the keys of all indexes,
 * and `catalog` the collections and indexes.
 */
export type Tables = Record<TableName, LmdbTable>;

export interface OpenTables extends Tables {
  root: RootDatabase<Buffer, Buffer>;
  digest: LmdbTable;
  owner: LmdbTable;
}

const BINARY = { keyEncoding: 'binary', encoding: 'binary' } as const;

/** Throws Damage when lmdb rejects the data file. */
export function openTables(folder: string): OpenTables {
  try {
    // Without overlapping sync a commit returns only after the flush, so confirmed writes are
    // durable.
    const root = open<Buffer, Buffer>({ path: folder, maxDbs: 5, overlappingSync: false, ...BINARY });
    const table = (name: string): LmdbTable => root.openDB<Buffer, Buffer>(name, BINARY);
    const tables = {
      records: table('records'),
      entries: table('entries'),
      catalog: table('catalog'),
      digest: table('digest'),
      owner: table('owner'),
    };
    tables.catalog.get(Buffer.from([0]));
    return { root, ...tables };
  } catch (error) {
    if (error instanceof Error && error.message.includes('MDB_')) throw new Damage(error.message);
    throw error;
  }
}

const OWNER = Buffer.from([0]);

/**
 * Makes this process the owner, or returns the pid of a living owner. The write transaction ensures
 * that exactly one of several starting processes succeeds.
 */
export function claimEnvironment({ root, owner }: OpenTables): number | undefined {
  return root.transactionSync(() => {
    const holder = Number(owner.get(OWNER)?.toString());
    if (otherProcesses(root).includes(holder)) return holder;
    owner.putSync(OWNER, Buffer.from(String(process.pid)));
    return undefined;
  });
}

/** Reads lmdb's reader table, which lists every living process that has read the environment. */
function otherProcesses(root: RootDatabase<Buffer, Buffer>): number[] {
  root.readerCheck();
  return root
    .readerList()
    .split('\n')
    .map((line) => Number(/^\s*(\d+)/.exec(line)?.[1]))
    .filter((pid) => pid > 0 && pid !== process.pid);
}
