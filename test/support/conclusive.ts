/** Attempts before `conclusive` gives up. */
const MAX_ATTEMPTS = 30;

/**
 * Runs an attempt that proves something only if it ends before a deadline of the product, and
 * returns its result. If an attempt took `withinMs` or longer, because the machine paused, runs
 * the attempt again from its beginning, also if it failed. An attempt that ended in time and failed
 * is a failure.
 */
export async function conclusive<T>(withinMs: number, attempt: () => Promise<T>): Promise<T> {
  for (let attempts = 1; attempts <= MAX_ATTEMPTS; attempts += 1) {
    const begun = performance.now();
    const hasTime = () => performance.now() - begun < withinMs;
    try {
      const result = await attempt();
      if (hasTime()) return result;
    } catch (error) {
      if (hasTime()) throw error;
    }
  }
  throw new Error(`none of ${MAX_ATTEMPTS} attempts took less than ${withinMs} ms`);
}
