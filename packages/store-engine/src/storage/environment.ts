import type { Ledger } from './ledger.ts';
import type { LmdbTable } from './tables.ts';
import type { WriteQueue } from './write-queue.ts';

/** The lmdb environment of one data folder. Changes to its tables commit together. */
export interface Environment
  extends Pick<Ledger, 'put' | 'remove'>, Pick<WriteQueue, 'write' | 'onRollback'> {
  /** The same as `write`, at once: while nobody else writes. */
  writeNow: (change: () => void) => void;
  /** To be read only: what is changed without `put` and `remove` is damage to the next start. */
  records: LmdbTable;
  entries: LmdbTable;
  catalog: LmdbTable;
  close(): Promise<void>;
}
