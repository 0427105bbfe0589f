import { setTimeout as wait } from 'node:timers/promises';

/**
 * Calls `ask` until it returns a value other than undefined, null or false. Calls it again after an
 * error. After `withinMs`, throws an error that contains the last error of `ask`, if any. The
 * default of `withinMs` is long because a machine may stall for seconds.
 */
export async function eventually<T>(
  ask: () => Promise<T | undefined | null | false> | T | undefined | null | false,
  { withinMs = 120_000, everyMs = 50 }: { withinMs?: number; everyMs?: number } = {},
): Promise<T> {
  // Unlike the time of day, this clock is never set.
  const deadline = performance.now() + withinMs;
  let reason: unknown = 'it never came true';
  for (;;) {
    try {
      const answer = await ask();
      if (answer !== undefined && answer !== null && answer !== false) return answer;
    } catch (error) {
      reason = error;
    }
    if (performance.now() > deadline)
      throw new Error(`not within ${withinMs} ms: ${String(reason)}`, { cause: reason });
    await wait(everyMs);
  }
}
