export interface LruMap<K, V> {
  get: (key: K) => V | undefined;
  /** Does not count as a use of the key. */
  peek: (key: K) => V | undefined;
  set: (key: K, value: V) => void;
  delete: (key: K) => void;
  clear: () => void;
}

/** Bounds the total weight by `max`. By default each entry weighs 1. */
export function lruMap<K, V>(max: number, weigh: (value: V) => number = () => 1): LruMap<K, V> {
  const entries = new Map<K, V>();
  let weight = 0;

  function remove(key: K): void {
    const value = entries.get(key);
    if (value !== undefined && entries.delete(key)) weight -= weigh(value);
  }

  function set(key: K, value: V): void {
    // Map order is the order of use.
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
