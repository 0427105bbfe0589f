import type { Table } from './environment.ts';
import { endOf, prefixOf } from './keys.ts';

/** Removes everything of one collection or index; inside a write transaction. */
export function removeRange(table: Table, id: number): void {
  for (;;) {
    const keys = [...table.getKeys({ start: prefixOf(id), end: endOf(id), limit: 10_000 })];
    for (const key of keys) table.removeSync(key);
    if (keys.length < 10_000) return;
  }
}

/** How many rows a collection or index has. */
export function countRange(table: Table, id: number): number {
  return table.getKeysCount({ start: prefixOf(id), end: endOf(id) });
}

/** The number of rows and the bytes of keys and values, read row by row. */
export function measure(table: Table, id: number): { count: number; bytes: number } {
  let count = 0;
  let bytes = 0;
  for (const { key, value } of table.getRange({ start: prefixOf(id), end: endOf(id) })) {
    count++;
    bytes += value.length > 0 ? value.length - 4 : key.length;
  }
  return { count, bytes };
}
