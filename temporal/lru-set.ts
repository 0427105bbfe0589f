/** Remembers which keys were seen, at most so many of those seen last. */
export interface LruSet {
  see: (key: string) => void;
  has: (key: string) => boolean;
  forget: (key: string) => void;
}

/** A memory of at most `most` keys. */
export function lruSet(most: number): LruSet {
  const keys = new Set<string>();
  return {
    see(key) {
      // Insertion order is the order in which keys were seen, because one that is seen again is put
      // at the end.
      keys.delete(key);
      keys.add(key);
      const oldest = keys.size > most ? keys.values().next().value : undefined;
      if (oldest !== undefined) keys.delete(oldest);
    },
    has: (key) => keys.has(key),
    forget: (key) => void keys.delete(key),
  };
}
