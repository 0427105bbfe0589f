import { lruMap } from '../../platform/concurrency/lru-map.ts';

/** A cache that reflects changes by other processes within `maxAgeMs`. */
export interface TtlCache<T> {
  /** Shares one load among concurrent callers. Does not cache a failed load. */
  get: (key: string) => Promise<T>;
  /** Call after this process changed the source. */
  forget: (key: string) => void;
  clear: () => void;
}

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
