import { storeNow } from '../store/cluster/clock.ts';
import { deferDeliveries } from '../store/delivery/queue.ts';
import type { DueDelivery } from '../store/delivery/queue.ts';

/**
 * What there is no place for comes back into sight in a queue, at a pace at which it can be looked
 * at without harm to others.
 */
const BACK_IN_SIGHT_PER_SECOND = 250;
const LEAST_OUT_OF_SIGHT_MS = 1_000;

/** What is out of sight for a while. */
export interface Visibility {
  /** When so many more may come back into sight. */
  until: (count: number) => Date;
  /** Takes rows that stand in the way out of sight, so that others are seen. */
  hide: (rows: DueDelivery[]) => Promise<void>;
}

export function createVisibility(): Visibility {
  let lastBackAt = 0;

  function until(count: number): Date {
    const soonest = Math.max(lastBackAt, storeNow() + LEAST_OUT_OF_SIGHT_MS);
    lastBackAt = soonest + (count * 1_000) / BACK_IN_SIGHT_PER_SECOND;
    return new Date(lastBackAt);
  }

  return {
    until,
    hide: (rows) =>
      deferDeliveries(
        rows.map(({ _id }) => _id),
        until(rows.length),
      ),
  };
}
