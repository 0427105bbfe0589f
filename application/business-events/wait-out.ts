import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '../../domain/errors.ts';

/** Leaves time for one more run within the activity. */
const WITHIN_MS = 15_000;
const FIRST_WAIT_MS = 200;
const MAX_WAIT_MS = 3_000;

/** Retries `work` while it is `unavailable`: cheaper than failing an activity. */
export async function retryWhileUnavailable<T>(
  work: () => Promise<T>,
  wait: (ms: number) => Promise<unknown> = sleep,
): Promise<T> {
  let leftMs = WITHIN_MS;
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, MAX_WAIT_MS)) {
    try {
      return await work();
    } catch (error) {
      leftMs -= waitMs;
      if (!(error instanceof DomainError) || error.code !== 'unavailable' || leftMs < 0) throw error;
    }
    await wait(waitMs);
  }
}
