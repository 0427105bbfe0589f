import type { Database, RootDatabase } from 'lmdb';
import { open } from 'lmdb';
import { realpathSync } from 'node:fs';
import { StoreError } from '../errors.ts';
import { damaged, isSuspicious, readThrough } from './damage.ts';

export type Table = Database<Buffer, Buffer>;

/**
 * The lmdb environment of one data folder: `records` holds documents by collection and record number, `entries` the keys of all indexes,
 * `catalog` what collections and indexes there are. Changes to all three commit together.
 */
export interface Environment {
  records: Table;
  entries: Table;
  catalog: Table;
  /** Runs `change` inside the next write transaction and answers when that is committed and flushed to the disk. */
  write<T>(change: () => T): Promise<T>;
  /** Called after a transaction was rolled back: what was cached of its changes is wrong. */
  onRollback(forget: () => void): void;
  close(): Promise<void>;
}

interface Pending {
  change: () => unknown;
  resolve: (result: never) => void;
  reject: (error: unknown) => void;
}

const openFolders = new Set<string>();

const BINARY = { keyEncoding: 'binary', encoding: 'binary' } as const;

/**
 * Opens the environment in `folder` (made when missing). Throws an Error with one clear line when another process has it open or when lmdb does not
 * recognise the file.
 */
export function openEnvironment(folder: string): Environment {
  const { root, records, entries, catalog, owner, suspicious } = openTables(folder);
  const real = realpathSync(folder);
  if (openFolders.has(real) || !claim(root, owner)) {
    void root.close();
    throw new Error(`The data folder ${folder} is in use by another process`);
  }
  openFolders.add(real);
  try {
    if (suspicious) readThrough(folder, { records, entries });
  } catch (error) {
    openFolders.delete(real);
    void root.close();
    throw error;
  }
  const queue = writeQueue(root);
  return {
    records,
    entries,
    catalog,
    write: queue.write,
    onRollback: queue.onRollback,
    close: async () => {
      await queue.drained();
      openFolders.delete(real);
      await root.close();
    },
  };
}

function openTables(folder: string) {
  const suspicious = isSuspicious(folder);
  try {
    // Without overlapping sync a commit returns when the disk has it, which is what an answered write promises.
    const root = open<Buffer, Buffer>({ path: folder, maxDbs: 4, overlappingSync: false, ...BINARY });
    const table = (name: string): Table => root.openDB<Buffer, Buffer>(name, BINARY);
    const tables = {
      records: table('records'),
      entries: table('entries'),
      catalog: table('catalog'),
      owner: table('owner'),
    };
    tables.catalog.get(Buffer.from([0]));
    return { root, suspicious, ...tables };
  } catch (error) {
    if (error instanceof Error && error.message.includes('MDB_')) throw damaged(folder, error.message);
    throw error;
  }
}

const OWNER = Buffer.from([0]);

/**
 * Makes this process the owner of the environment, unless the one that is lives. lmdb lets one process write at a time, so of
 * several that start at once exactly one wins.
 */
function claim(root: RootDatabase<Buffer, Buffer>, owner: Table): boolean {
  return root.transactionSync(() => {
    const holder = Number(owner.get(OWNER)?.toString());
    if (otherProcesses(root).includes(holder)) return false;
    owner.putSync(OWNER, Buffer.from(String(process.pid)));
    return true;
  });
}

/** Every process that has read the environment holds a slot in lmdb's reader table, which the system frees when it dies. */
function otherProcesses(root: RootDatabase<Buffer, Buffer>): number[] {
  root.readerCheck();
  return root
    .readerList()
    .split('\n')
    .map((line) => Number(/^\s*(\d+)/.exec(line)?.[1]))
    .filter((pid) => pid > 0 && pid !== process.pid);
}

/** Collects what is asked for in one turn of the event loop into one transaction, so that many writers share one flush. */
function writeQueue(root: RootDatabase<Buffer, Buffer>) {
  let pending: Pending[] = [];
  let forget: () => void = () => undefined;
  let drained: (() => void)[] = [];

  function runAll(): void {
    const batch = pending;
    pending = [];
    if (!commit(batch) && batch.length > 1) for (const one of batch) commit([one]);
    if (pending.length === 0) for (const resolve of drained.splice(0)) resolve();
  }

  /** Answers false when the batch was rolled back and should be tried one by one, so that one bad statement harms no other. */
  function commit(batch: readonly Pending[]): boolean {
    let settle: (() => void)[] = [];
    try {
      root.transactionSync(() => {
        settle = batch.map(run);
      });
    } catch (error) {
      forget();
      if (batch.length > 1) return false;
      batch[0]?.reject(storageError(error));
      return true;
    }
    for (const answer of settle) answer();
    return true;
  }

  return {
    write: <T>(change: () => T): Promise<T> =>
      new Promise<T>((resolve, reject) => {
        if (pending.push({ change, resolve, reject }) === 1) setImmediate(runAll);
      }),
    onRollback: (callback: () => void) => {
      forget = callback;
    },
    drained: (): Promise<void> =>
      new Promise((resolve) => {
        if (pending.length === 0) resolve();
        else drained = [...drained, resolve];
      }),
  };
}

/**
 * Runs one change and answers how to settle it once all is committed. A refusal (StoreError) is decided before anything of a document is
 * written, so it rolls nothing back; every other error does.
 */
function run({ change, resolve, reject }: Pending): () => void {
  try {
    const result = change() as never;
    return () => resolve(result);
  } catch (error) {
    if (!(error instanceof StoreError) || error.codeName === 'OutOfDiskSpace') throw error;
    return () => reject(error);
  }
}

function storageError(error: unknown): unknown {
  if (error instanceof StoreError || !(error instanceof Error)) return error;
  // lmdb reports a page of which only a part could be written as an input/output error: that is a full disk as well.
  if (/input\/output|no space|MAP_FULL|file too large|quota|disk full/i.test(error.message)) {
    return new StoreError('OutOfDiskSpace', `The write was not stored: ${error.message}`);
  }
  return error;
}
