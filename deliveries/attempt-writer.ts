import { createBatcher } from '../platform/concurrency/batcher.ts';
import { recordAttempts } from '../store/delivery/attempts.ts';
import type { EndedAttempt } from '../store/delivery/attempts.ts';

/** As many as one statement may carry, each with an answer of up to 16 KiB. */
const MAX_AT_ONCE = 200;
/**
 * An attempt waits for the write under way no longer than this: what is not stored when its worker
 * dies is sent again.
 */
const MAX_WAIT_MS = 25;

/** Where attempts are written. */
export interface AttemptWriter {
  /**
   * Resolves when the attempt is stored. False: somebody else has dealt with the delivery
   * meanwhile, and nothing was written.
   */
  record: (ended: EndedAttempt) => Promise<boolean>;
}

/**
 * While a write is under way, the attempts of all lanes that end meanwhile go together in the next;
 * where the store is slow, that does not wait for it.
 */
export function createAttemptWriter(): AttemptWriter {
  return {
    record: createBatcher({ write: recordAttempts, maxItems: MAX_AT_ONCE, maxWaitMs: MAX_WAIT_MS }),
  };
}
