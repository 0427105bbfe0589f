import type { DueDelivery } from '../store/delivery/queue.ts';
import type { HandedOffEvents } from './lane-cache.ts';

/** Hears what is waiting to be sent, and where it was stored just now of which events. */
export type Subscriber = (rows: readonly DueDelivery[], fresh?: HandedOffEvents) => void;

/**
 * How those who store deliveries tell the drain of the same process, so that it need not look for
 * them.
 */
export interface DeliveryNotifications {
  notify: Subscriber;
  /** Calls the listener at every notice; answers how to end that. */
  listen: (listener: Subscriber) => () => void;
}

/**
 * Notices within this process. Without a listener they are lost, which costs a short wait and no
 * delivery.
 */
export function createDeliveryNotifications(): DeliveryNotifications {
  const listeners = new Set<Subscriber>();
  return {
    notify(...notice) {
      for (const listener of listeners) listener(...notice);
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
