import { decodeDocument } from '../bson/decode.ts';
import { extractKeys } from '../index/extract.ts';
import type { StoredCollection, Index } from './collection.ts';
import { endKey, entryKey, prefixKey, readRecordNumber } from './keys.ts';
import { countRange } from './ranges.ts';
import { readRecord } from './records.ts';
import type { Storage } from './storage.ts';

export interface IndexFindings {
  name: string;
  missing: number;
  /** Includes the entries of damaged documents, whose keys are unknown. */
  surplus: number;
  /**
   * The index contains arrays or truncated values without the flag for them, so queries would
   * misuse the index.
   */
  misdescribed: boolean;
}

export interface Findings {
  namespace: string;
  documents: number;
  damaged: number;
  indexes: IndexFindings[];
}

/**
 * Counts damaged documents, and missing and surplus entries of each index. Nothing else may use the
 * store.
 */
export function checkCollection(storage: Storage, collection: StoredCollection): Findings {
  const indexes = collection.indexes.filter(({ building }) => !building);
  const tallies = indexes.map((index) => ({ index, found: 0, missing: 0, misdescribed: false }));
  const { records } = storage.environment;
  let documents = 0;
  let damaged = 0;
  for (const key of records.getKeys({ start: prefixKey(collection.id), end: endKey(collection.id) })) {
    documents += 1;
    const bytes = readIntactRecord(storage, key);
    if (!bytes) damaged += 1;
    else for (const tally of tallies) compare(storage, { tally, bytes, record: readRecordNumber(key) });
  }
  return {
    namespace: collection.namespace,
    documents,
    damaged,
    indexes: tallies.map(({ index, found, missing, misdescribed }) => ({
      name: index.name,
      missing,
      surplus: countRange(storage.environment.entries, index.id) - found,
      misdescribed,
    })),
  };
}

export function isIntact({ damaged, indexes }: Findings): boolean {
  return (
    damaged === 0 &&
    indexes.every(({ missing, surplus, misdescribed }) => missing === 0 && surplus === 0 && !misdescribed)
  );
}

interface Tally {
  index: Index;
  found: number;
  missing: number;
  misdescribed: boolean;
}

function compare(
  { environment }: Storage,
  { tally, bytes, record }: { tally: Tally; bytes: Buffer; record: number },
): void {
  const { index } = tally;
  const { keys, multikey, truncated } = extractKeys(index, decodeDocument(bytes));
  for (const values of keys) {
    if (environment.entries.doesExist(entryKey({ index: index.id, values, record }))) tally.found += 1;
    else tally.missing += 1;
  }
  tally.misdescribed ||= (truncated && !index.truncated) || multikey.some((at) => !index.multikey.has(at));
}

function readIntactRecord(storage: Storage, key: Buffer): Buffer | undefined {
  try {
    const bytes = readRecord(storage, key);
    return bytes && Buffer.from(bytes);
  } catch {
    return undefined;
  }
}
