import type { RootDatabase } from 'lmdb';
import { StoreError } from '../errors.ts';
import type { Ledger } from './ledger.ts';

interface Pending {
  change: () => unknown;
  resolve: (result: never) => void;
  reject: (error: unknown) => void;
}

export interface WriteQueue {
  /**
   * Runs `change` inside the next write transaction and answers when that is committed and flushed
   * to the disk.
   */
  write: <T>(change: () => T) => Promise<T>;
  /** Called after a transaction was rolled back: what was cached of its changes is wrong. */
  onRollback: (forget: () => void) => void;
  /** Resolves when nothing waits to be written. */
  drained: () => Promise<void>;
}

/**
 * Collects what is asked for in one turn of the event loop into one transaction, so that many
 * writers share one flush.
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
 * Answers false when the batch was rolled back and should be tried one by one, so that one bad
 * statement harms no other.
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
 * Runs one change and answers how to settle it once all is committed. A refusal (StoreError) is
 * decided before anything of a document is written, so it rolls nothing back; every other error
 * does.
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
  // lmdb reports a page of which only a part could be written as an input/output error: that is a
  // full disk as well.
  if (/input\/output|no space|MAP_FULL|file too large|quota|disk full/i.test(error.message)) {
    return new StoreError('OutOfDiskSpace', `The write was not stored: ${error.message}`);
  }
  return error;
}
