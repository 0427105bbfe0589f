/**
 * How far a wait may be off its plan, so that deliveries which failed together do not come back
 * together.
 */
const JITTER = 0.2;

/** One failed attempt, and what the receiver asked for. */
export interface FailedAttempt {
  /** How many attempts have been made, this one included. */
  attempts: number;
  /** Seconds of the answer's `Retry-After`, if it had one. */
  retryAfterSeconds?: number;
}

/**
 * Milliseconds until the next attempt, or null when the ladder has ended (spec 7.8). `waitsSeconds`
 * are the planned waits: n waits make n + 1 attempts. The plan is varied by up to 20 %;
 * `Retry-After` may lengthen a wait up to twice its plan, never shorten it.
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
 * Until when the ladder has a delivery wait; null: it may be attempted now. One without `retryAt`
 * never waits: it has not been attempted, or somebody asked for it since. When it comes into sight
 * (`dueAt`) does not matter: to be out of sight delays no attempt.
 */
export function waitsUntil({ retryAt }: { retryAt?: Date }, now: number): Date | null {
  return retryAt && retryAt.getTime() > now ? retryAt : null;
}
