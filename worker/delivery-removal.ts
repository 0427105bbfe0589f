import type { Logger } from 'pino';
import { repeatingTask } from '../platform/concurrency/repeating-task.ts';
import { storeDate } from '../store/cluster/clock.ts';
import { removeUnusedBodies } from '../store/delivery/delivery-bodies.ts';
import { hasDeliveries } from '../store/delivery/deliveries.ts';
import { removeExcessDeliveries } from '../store/delivery/kept-deliveries.ts';

const EVERY_MS = 10 * 60 * 1000;

/** Removes excess deliveries of inactive services, and unused delivery bodies. */
export function startDeliveryRemoval(log: Pick<Logger, 'warn' | 'info'>): { end(): Promise<void> } {
  async function remove(): Promise<boolean> {
    const removed = await removeExcessDeliveries();
    if (removed > 0) log.info({ removed }, 'removed deliveries of services that are not active');
    return removeUnusedBodies(storeDate(), hasDeliveries);
  }
  const removal = repeatingTask(remove, {
    everyMs: EVERY_MS,
    waitsFirst: true,
    onError: (error) => log.warn({ err: error }, 'cannot remove deliveries that are not kept any more'),
  });
  removal.start();
  return { end: () => removal.stop() };
}
