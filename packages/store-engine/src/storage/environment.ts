import type { Ledger } from './ledger.ts';
import type { LmdbTable } from './tables.ts';
import type { WriteQueue } from './write-queue.ts';

/** Changes to the tables of one data folder commit together. */
export interface Environment
  extends Pick<Ledger, 'put' | 'remove'>, Pick<WriteQueue, 'write' | 'onRollback'> {
  /** Runs `change` immediately. For use without other writers. */
  writeNow: (change: () => void) => void;
  /** The tables are for reading: a change without `put` or `remove` breaks the digest. */
  records: LmdbTable;
  entries: LmdbTable;
  catalog: LmdbTable;
  close(): Promise<void>;
}
