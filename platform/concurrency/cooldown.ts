/**
 * Keys with work in progress, or with work that ended a short while ago and may not show its effect
 * yet.
 */
export interface Cooldown {
  has: (key: string) => boolean;
  size: () => number;
  /**
   * Runs the work. The key rests during the work and for the cooldown after it, but not after a
   * failure.
   */
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
