import { storeNow } from '../../store/clock.ts';
import { deferDeliveries } from '../../store/delivery-queue.ts';
import type { DueDelivery } from '../../store/delivery-queue.ts';

/** What there is no place for comes back into sight in a queue, at a pace at which it can be looked at without harm to others. */
const BACK_IN_SIGHT_PER_SECOND = 250;
const LEAST_OUT_OF_SIGHT_MS = 1_000;

/** Takes rows that stand in the way out of sight for a while. */
export type Hide = (rows: DueDelivery[]) => Promise<void>;

/** Hides rows that have no place at the moment, so that others are seen. */
export function createHiding(): Hide {
  let lastBackAt = 0;
  return async (rows) => {
    const soonest = Math.max(lastBackAt, storeNow() + LEAST_OUT_OF_SIGHT_MS);
    lastBackAt = soonest + (rows.length * 1_000) / BACK_IN_SIGHT_PER_SECOND;
    await deferDeliveries(
      rows.map(({ _id }) => _id),
      new Date(lastBackAt),
    );
  };
}
