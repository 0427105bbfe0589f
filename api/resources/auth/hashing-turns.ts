import { DomainError } from '../../../domain/errors.ts';
import { createFairQueue } from '../../../application/expressions/fair-queue.ts';

/** Some six seconds of work. One asker alone may have half of it waiting, several share. */
const MAX_WAITING = 400;
/** Above all askers, so that none takes what the others leave free. */
const ALL_CALLERS = 'everybody';

const waiting = createFairQueue<() => void>(MAX_WAITING);
let busy = false;

/**
 * Runs work that keeps a core busy, as hashing a password does: one piece at a time in this
 * process, askers (addresses, users) by turns. So a storm of logins leaves a core to everybody
 * else, and whoever logs in meanwhile waits for one login of each stormer, not for all.
 *
 * Throws DomainError `rate_limited` where too much is waiting.
 */
export async function runHashing<T>(asker: string, work: () => Promise<T>): Promise<T> {
  if (busy) await waitForTurn(asker);
  busy = true;
  try {
    return await work();
  } finally {
    const next = waiting.next(() => true);
    if (next) next();
    else busy = false;
  }
}

function waitForTurn(asker: string): Promise<void> {
  return new Promise((resolve, reject) => {
    if (waiting.add([ALL_CALLERS, asker], resolve)) return;
    reject(
      new DomainError('rate_limited', 'Too many logins at once. Please try again.', { retryAfterSeconds: 1 }),
    );
  });
}
