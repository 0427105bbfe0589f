import { lruMap } from '../../platform/concurrency/lru-map.ts';

/**
 * Cache with a short maximum age. Hot paths need no query and still see changes of other processes
 * soon.
 */
export interface TtlCache<T> {
  /**
   * Returns the cached or a fresh value. Concurrent callers share one load. A failed load is not
   * cached.
   */
  get: (key: string) => Promise<T>;
  /** Removes a value after this process changed its source. */
  forget: (key: string) => void;
  clear: () => void;
}

/**
 * Creates a cache of at most `max` values. The age `maxAgeMs` counts from the start of the load.
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
