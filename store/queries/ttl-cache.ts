import { lruMap } from '../../platform/concurrency/lru-map.ts';

/**
 * Remembers answers for a short while, so that hot paths need no query and changes by other
 * processes are still seen soon.
 */
export interface TtlCache<T> {
  /**
   * The remembered answer, or a fresh one. Callers at the same time share one load; a failed load
   * is not remembered.
   */
  get: (key: string) => Promise<T>;
  /** Forgets one answer: this process changed what it came from. */
  forget: (key: string) => void;
  clear: () => void;
}

/**
 * A cache of at most `max` answers of `load`, each at most `maxAgeMs` old, counted from when its
 * load began.
 */
export function ttlCache<T>({
  maxAgeMs,
  max,
  load,
}: {
  maxAgeMs: number;
  max: number;
  load: (key: string) => Promise<T>;
}): TtlCache<T> {
  const entries = lruMap<string, { until: number; answer: Promise<T> }>(max);

  function fresh(key: string): Promise<T> {
    const entry = { until: performance.now() + maxAgeMs, answer: load(key) };
    entry.answer.catch(() => {
      if (entries.peek(key) === entry) entries.delete(key);
    });
    entries.set(key, entry);
    return entry.answer;
  }

  return {
    get(key) {
      const known = entries.peek(key);
      return known && known.until > performance.now() ? known.answer : fresh(key);
    },
    forget: entries.delete,
    clear: entries.clear,
  };
}
