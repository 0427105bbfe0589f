/** Jitter of a wait, so that deliveries that failed together are not retried together. */
const JITTER = 0.2;

export interface FailedAttempt {
  /** Attempts so far, including this one. */
  attempts: number;
  /** `Retry-After` of the response, in seconds. */
  retryAfterSeconds?: number;
}

/**
 * Returns the milliseconds until the next attempt, or null at the end of the ladder (spec 7.8).
 * `waitsSeconds` are the planned waits: n waits make n + 1 attempts. A wait varies by 20 %;
 * `Retry-After` may lengthen it to twice the plan and never shortens it.
 *
 * `random` is a number in [0, 1).
 */
export function nextWaitMs(
  waitsSeconds: readonly number[],
  { attempts, retryAfterSeconds = 0 }: FailedAttempt,
  random: number,
): number | null {
  const planned = waitsSeconds[attempts - 1];
  if (planned === undefined) return null;
  const varied = planned * (1 - JITTER + 2 * JITTER * random);
  const asked = Math.min(retryAfterSeconds, planned * 2);
  return Math.round(Math.max(varied, asked) * 1000);
}

/**
 * Returns the end of a delivery's backoff, or null if it may be attempted now. Without `retryAt`
 * there was no attempt, or an operator requested a new attempt. `dueAt` is only the visibility
 * timeout and delays no attempt.
 */
export function waitsUntil({ retryAt }: { retryAt?: Date }, now: number): Date | null {
  return retryAt && retryAt.getTime() > now ? retryAt : null;
}
