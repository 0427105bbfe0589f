/** What is being worked on, or was until a short while ago: whether that helped is seen later. */
export interface Cooldown {
  has: (key: string) => boolean;
  /** How many there are. */
  size: () => number;
  /** The key rests while the work is done and a while after, but not after work that failed. */
  during: (key: string, work: () => Promise<unknown>) => Promise<void>;
}

/** Keys that rest for `restMs` after work on them. */
export function createCooldown(restMs: number): Cooldown {
  const until = new Map<string, number>();

  function drop(): void {
    const now = performance.now();
    for (const [key, end] of until) if (end <= now) until.delete(key);
  }

  return {
    has: (key) => (until.get(key) ?? 0) > performance.now(),
    size() {
      drop();
      return until.size;
    },
    async during(key, work) {
      drop();
      until.set(key, Infinity);
      try {
        await work();
        until.set(key, performance.now() + restMs);
      } catch (error) {
        until.delete(key);
        throw error;
      }
    },
  };
}
