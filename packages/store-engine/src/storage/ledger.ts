import type { Digest, TableName } from './digest.ts';
import { addRow, decodeDigest, emptyDigest, encodeDigest, subtractRow } from './digest.ts';
import type { LmdbTable, Tables } from './tables.ts';

const ROW = Buffer.from([0]);

/**
 * Keeps the digest up to date. The digest reveals lost and foreign changes
 * (docs/decisions/store-integrity.md). Only for write transactions.
 */
export interface Ledger {
  put: (table: TableName, key: Buffer, value: Buffer) => void;
  /** Returns false when the row does not exist. */
  remove: (table: TableName, key: Buffer) => boolean;
  /** Must be the last step of a transaction. */
  store: () => void;
  /** Must follow a rollback. */
  reload: () => void;
}

/** Starts with `from` in a new store, otherwise with the stored digest. */
export function openLedger(tables: Tables & { digest: LmdbTable }, from?: Digest): Ledger {
  let digest = from ?? loadDigest(tables.digest);
  let isChanged = from !== undefined;

  // lmdb's shared buffer is longer than the value (records.ts).
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
