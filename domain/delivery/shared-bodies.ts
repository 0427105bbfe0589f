import type { DeliveryRow } from './delivery.ts';

/** Characters that the copies of an event's body may have together, one in each of its rows. */
export const MAX_COPIED = 64 * 1024;

/**
 * Returns the rows, one of each event, whose body is stored once for all rows of the event. Where
 * few services receive a small event each row has a copy, which saves a read.
 */
export function rowsWithSharedBody(rows: readonly DeliveryRow[]): DeliveryRow[] {
  const counts = new Map<string, number>();
  for (const { eventId } of rows) counts.set(eventId, (counts.get(eventId) ?? 0) + 1);
  const seen = new Set<string>();
  return rows.filter(({ eventId, body }) => {
    const count = counts.get(eventId) ?? 0;
    if (seen.has(eventId) || count < 2 || count * body.length <= MAX_COPIED) return false;
    seen.add(eventId);
    return true;
  });
}
