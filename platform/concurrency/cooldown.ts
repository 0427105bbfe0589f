/** Keys whose work is in progress, or ended so recently that its effect may not show yet. */
export interface Cooldown {
  has: (key: string) => boolean;
  size: () => number;
  /** Marks the key during the work, and for the cooldown afterwards unless the work fails. */
  during: (key: string, work: () => Promise<unknown>) => Promise<void>;
}

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
