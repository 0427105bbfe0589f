import { setImmediate } from 'node:timers/promises';
import type { Interval } from '../index/bounds.ts';
import type { Environment } from './environment.ts';
import type { LmdbTable } from './tables.ts';
import { endKey, prefixKey } from './keys.ts';

/** Removes at most `limit` rows and returns their number. Must run inside a write transaction. */
export function removeRows(
  environment: Environment,
  { table, id, limit }: { table: 'records' | 'entries'; id: number; limit: number },
): number {
  const keys = [...environment[table].getKeys({ start: prefixKey(id), end: endKey(id), limit })];
  for (const key of keys) environment.remove(table, key);
  return keys.length;
}

export function countRange(table: LmdbTable, id: number): number {
  return table.getKeysCount({ start: prefixKey(id), end: endKey(id) });
}

export function countInterval(table: LmdbTable, { from, to }: Interval): number {
  return Buffer.compare(from, to) < 0 ? table.getKeysCount({ start: from, end: to }) : 0;
}

const ROWS_AT_ONCE = 1000;

/** Returns the size of a collection in bytes. Pauses for other commands between slices. */
export async function measureBytes(table: LmdbTable, id: number): Promise<number> {
  let bytes = 0;
  for (let start = prefixKey(id); ;) {
    let rows = 0;
    for (const { key, value } of table.getRange({ start, end: endKey(id), limit: ROWS_AT_ONCE })) {
      rows++;
      bytes += value.length > 0 ? value.length - 4 : key.length;
      start = Buffer.concat([key, BEHIND_KEY]);
    }
    if (rows < ROWS_AT_ONCE) return bytes;
    await setImmediate();
  }
}

const BEHIND_KEY = Buffer.alloc(1);
