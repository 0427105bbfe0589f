import type { Storage } from '../storage/storage.ts';
import { removeRows } from '../storage/ranges.ts';

const ROWS_AT_ONCE = 2000;

/**
 * Erases some of what was dropped, inside a write transaction; answers whether more is left. What
 * is dropped is noted in the catalog first, so that it is gone at once for everybody and its space
 * is freed in slices, after a crash by the next start.
 */
export function eraseSome({ catalog, environment }: Storage): boolean {
  let left = ROWS_AT_ONCE;
  for (const id of catalog.doomed()) {
    // Collections and indexes share their numbers: an id is in one of the two tables only.
    for (const table of ['records', 'entries'] as const) {
      left -= removeRows(environment, { table, id, limit: left });
      if (left === 0) return true;
    }
    catalog.erased(id);
  }
  return false;
}

/** Erases all that was dropped, a slice per transaction. */
export async function eraseDropped(storage: Storage): Promise<void> {
  while (await storage.environment.write(() => eraseSome(storage)));
}
