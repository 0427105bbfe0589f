import type { Logger } from 'pino';
import { repeatingTask } from '../concurrency/repeating-task.ts';
import { storeDate } from '../store/cluster/clock.ts';
import { removeUnusedBodies } from '../store/delivery/delivery-bodies.ts';
import { hasDeliveries } from '../store/delivery/find-deliveries.ts';

const EVERY_MS = 3600 * 1000;

/** Removes bodies of deliveries, within two days of the last delivery that refers to them. */
export function startBodyRemoval(log: Pick<Logger, 'warn'>): { end(): Promise<void> } {
  const removal = repeatingTask(() => removeUnusedBodies(storeDate(), hasDeliveries), {
    everyMs: EVERY_MS,
    onError: (error) => log.warn({ err: error }, 'cannot remove unused bodies of deliveries'),
  });
  removal.start();
  return { end: () => removal.stop() };
}
