/** How those who store deliveries tell the drain of the same process, so that it need not wait for its next look. */
export interface DeliveryNotices {
  notify(shards: readonly number[]): void;
  /** Calls the listener at every notice; answers how to end that. */
  listen(listener: (shards: readonly number[]) => void): () => void;
}

/** Notices within this process. Without a listener they are lost, which costs a short wait and no delivery. */
export function createDeliveryNotices(): DeliveryNotices {
  const listeners = new Set<(shards: readonly number[]) => void>();
  return {
    notify(shards) {
      for (const listener of listeners) listener(shards);
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
