import type { Digest, TableName } from './digest.ts';
import { addRow, decodeDigest, emptyDigest, encodeDigest, subtractRow } from './digest.ts';
import type { LmdbTable, Tables } from './tables.ts';

const ROW = Buffer.from([0]);

/**
 * Changes rows and keeps account of what all of them come to, so that rows which vanish or change
 * without it are found out (docs/decisions/store-integrity.md). To be used inside write
 * transactions alone.
 */
export interface Ledger {
  put: (table: TableName, key: Buffer, value: Buffer) => void;
  /** Answers false when there was no such row. */
  remove: (table: TableName, key: Buffer) => boolean;
  /** Stores the account, with the changes that it is of: the last thing in a transaction. */
  store: () => void;
  /** After a transaction was rolled back. */
  reload: () => void;
}

/** `from` is what the rows come to, where the account has yet to be opened. */
export function openLedger(tables: Tables & { digest: LmdbTable }, from?: Digest): Ledger {
  let digest = from ?? loadDigest(tables.digest);
  let isChanged = from !== undefined;

  // lmdb reads into one large buffer and says by `length` what is in it.
  function readValue(table: TableName, key: Buffer): Buffer | undefined {
    const found = tables[table].getBinaryFast(key);
    return found?.subarray(0, found.length);
  }

  return {
    put: (table, key, value) => {
      const before = readValue(table, key);
      if (before) subtractRow(digest, { table, key, value: before });
      addRow(digest, { table, key, value });
      tables[table].putSync(key, value);
      isChanged = true;
    },
    remove: (table, key) => {
      const before = readValue(table, key);
      if (!before) return false;
      subtractRow(digest, { table, key, value: before });
      tables[table].removeSync(key);
      isChanged = true;
      return true;
    },
    store: () => {
      if (!isChanged) return;
      tables.digest.putSync(ROW, encodeDigest(digest));
      isChanged = false;
    },
    reload: () => {
      digest = loadDigest(tables.digest);
      isChanged = false;
    },
  };
}

function loadDigest(table: LmdbTable): Digest {
  const bytes = table.get(ROW);
  return bytes ? decodeDigest(bytes) : emptyDigest();
}
