/** Deliveries that failed together must not be retried together. */
const JITTER = 0.2;

/**
 * Returns the next wait, or null after the last wait (spec 7.8). n waits make n + 1 attempts.
 * `Retry-After` may at most double a wait. `random` is in [0, 1).
 */
export function nextWaitMs(
  waitsSeconds: readonly number[],
  { attempts, retryAfterSeconds = 0 }: { attempts: number; retryAfterSeconds?: number | undefined },
  random: number,
): number | null {
  const planned = waitsSeconds[attempts - 1];
  if (planned === undefined) return null;
  const varied = planned * (1 - JITTER + 2 * JITTER * random);
  const asked = Math.min(retryAfterSeconds, planned * 2);
  return Math.round(Math.max(varied, asked) * 1000);
}

export function waitsUntil({ retryAt }: { retryAt?: Date }, now: number): Date | null {
  return retryAt && retryAt.getTime() > now ? retryAt : null;
}
