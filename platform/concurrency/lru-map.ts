/** Remembers at most so many entries: those used last. */
export interface LruMap<K, V> {
  /** The value of a key, which counts as a use of it. */
  get: (key: K) => V | undefined;
  /** The same, which does not. */
  peek: (key: K) => V | undefined;
  /** Keeps a value, and forgets the entries used longest ago where there are too many. */
  set: (key: K, value: V) => void;
  delete: (key: K) => void;
  clear: () => void;
}

/**
 * An LruMap of at most `max` entries; of entries that weigh at most `max` together, where `weigh`
 * says what each does.
 */
export function lruMap<K, V>(max: number, weigh: (value: V) => number = () => 1): LruMap<K, V> {
  const entries = new Map<K, V>();
  let weight = 0;

  function remove(key: K): void {
    const value = entries.get(key);
    if (value !== undefined && entries.delete(key)) weight -= weigh(value);
  }

  function set(key: K, value: V): void {
    // Insertion order is the order of use, because an entry that is used again is put at the end.
    remove(key);
    entries.set(key, value);
    weight += weigh(value);
    for (const oldest of entries.keys()) {
      if (weight <= max) break;
      remove(oldest);
    }
  }

  return {
    get(key) {
      const value = entries.get(key);
      if (value !== undefined) set(key, value);
      return value;
    },
    peek: (key) => entries.get(key),
    set,
    delete: remove,
    clear() {
      entries.clear();
      weight = 0;
    },
  };
}
