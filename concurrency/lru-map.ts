/** Remembers at most so many entries: those used last. */
export interface LruMap<K, V> {
  /** The value of a key, which counts as a use of it. */
  get: (key: K) => V | undefined;
  /** The same, which does not. */
  peek: (key: K) => V | undefined;
  /** Keeps a value, and forgets the entry used longest ago where there are too many. */
  set: (key: K, value: V) => void;
  delete: (key: K) => void;
  clear: () => void;
}

/** An LruMap of at most `max` entries. */
export function lruMap<K, V>(max: number): LruMap<K, V> {
  const entries = new Map<K, V>();

  function set(key: K, value: V): void {
    // Insertion order is the order of use, because an entry that is used again is put at the end.
    entries.delete(key);
    entries.set(key, value);
    const [oldest] = entries.size > max ? entries.keys() : [];
    if (oldest !== undefined) entries.delete(oldest);
  }

  return {
    get(key) {
      const value = entries.get(key);
      if (value !== undefined) set(key, value);
      return value;
    },
    peek: (key) => entries.get(key),
    set,
    delete: (key) => void entries.delete(key),
    clear: () => entries.clear(),
  };
}
