import type { RootDatabase } from 'lmdb';
import { StoreError } from '../errors.ts';
import type { Ledger } from './ledger.ts';

interface Pending {
  change: () => unknown;
  resolve: (result: never) => void;
  reject: (error: unknown) => void;
}

export interface WriteQueue {
  /** Runs `change` inside the next write transaction. Resolves after the commit and its flush. */
  write: <T>(change: () => T) => Promise<T>;
  /** Registers a callback for rollbacks. It must drop cached changes. */
  onRollback: (forget: () => void) => void;
  /** Resolves when no write is pending. */
  drained: () => Promise<void>;
}

/**
 * Collects all writes of one turn of the event loop into one transaction, so that they share one
 * flush.
 */
export function createWriteQueue(root: RootDatabase<Buffer, Buffer>, ledger: Ledger): WriteQueue {
  let pending: Pending[] = [];
  let forget: () => void = () => undefined;
  let drained: (() => void)[] = [];
  const rolledBack = (): void => {
    ledger.reload();
    forget();
  };

  function runAll(): void {
    const batch = pending;
    pending = [];
    const isDone = commit({ root, ledger, rolledBack }, batch);
    if (!isDone) for (const one of batch) commit({ root, ledger, rolledBack }, [one]);
    if (pending.length === 0) for (const resolve of drained.splice(0)) resolve();
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

interface Commit {
  root: RootDatabase<Buffer, Buffer>;
  ledger: Ledger;
  rolledBack: () => void;
}

/**
 * Commits a batch. Returns false after the rollback of several writes: run them one by one then, so
 * that one bad write fails alone.
 */
function commit({ root, ledger, rolledBack }: Commit, batch: readonly Pending[]): boolean {
  let settle: (() => void)[] = [];
  try {
    root.transactionSync(() => {
      settle = batch.map(run);
      ledger.store();
    });
  } catch (error) {
    rolledBack();
    if (batch.length > 1) return false;
    batch[0]?.reject(storageError(error));
    return true;
  }
  for (const answer of settle) answer();
  return true;
}

/**
 * Runs one change and returns the function that settles it after the commit. A refusal (StoreError)
 * occurs before a document is changed and rolls nothing back. Any other error, and a full disk,
 * rolls back.
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
  // lmdb reports a page that was only partly written as an input/output error. The disk is full
  // then too.
  if (/input\/output|no space|MAP_FULL|file too large|quota|disk full/i.test(error.message)) {
    return new StoreError('OutOfDiskSpace', `The write was not stored: ${error.message}`);
  }
  return error;
}
