import type { RootDatabase } from 'lmdb';
import { StoreError } from '../errors.ts';
import type { Ledger } from './ledger.ts';

interface Pending {
  change: () => unknown;
  resolve: (result: never) => void;
  reject: (error: unknown) => void;
}

export interface WriteQueue {
  /** Resolves after the commit and its flush. */
  write: <T>(change: () => T) => Promise<T>;
  onRollback: (forget: () => void) => void;
  /** Resolves after the pending writes. Further writes are refused. */
  end: () => Promise<void>;
}

/**
 * Collects the writes of one turn of the event loop in one transaction, so that they share one
 * flush.
 */
export function createWriteQueue(root: RootDatabase<Buffer, Buffer>, ledger: Ledger): WriteQueue {
  let pending: Pending[] = [];
  let forget: () => void = () => undefined;
  let drained: (() => void)[] = [];
  let isEnded = false;
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
        if (isEnded) reject(new StoreError('InterruptedAtShutdown', 'The store is closing.'));
        else if (pending.push({ change, resolve, reject }) === 1) setImmediate(runAll);
      }),
    onRollback: (callback: () => void) => {
      forget = callback;
    },
    end: (): Promise<void> =>
      new Promise((resolve) => {
        isEnded = true;
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
 * Returns false after a rollback of several writes. The caller then runs each write alone, so that
 * one failure harms no other write.
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
 * Runs one change and returns a function that reports the result. A refusal (a StoreError other
 * than OutOfDiskSpace) occurs before any document is changed and fails only this change. Any other
 * error rolls back the whole batch.
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
  // lmdb reports a partly written page as an input/output error, although the disk is full.
  if (/input\/output|no space|MAP_FULL|file too large|quota|disk full/i.test(error.message)) {
    return new StoreError('OutOfDiskSpace', `The write was not stored: ${error.message}`);
  }
  return error;
}
