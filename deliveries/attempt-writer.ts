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

interface Waiting {
  ended: EndedAttempt;
  resolve: (written: boolean) => void;
  reject: (error: unknown) => void;
}

/**
 * While a write is under way, the attempts of all lanes that end meanwhile go together in the next;
 * where the store is slow, that does not wait for it.
 */
export function createAttemptWriter(): AttemptWriter {
  const waiting: Waiting[] = [];
  let writes = 0;
  let late: NodeJS.Timeout | undefined;

  function writeAll(): void {
    clearTimeout(late);
    late = undefined;
    while (waiting.length > 0) {
      writes += 1;
      void write(waiting.splice(0, MAX_AT_ONCE)).then(() => {
        writes -= 1;
        if (writes === 0) writeAll();
      });
    }
  }

  return {
    record: (ended) =>
      new Promise((resolve, reject) => {
        waiting.push({ ended, resolve, reject });
        if (writes === 0) writeAll();
        else late ??= setTimeout(writeAll, MAX_WAIT_MS);
      }),
  };
}

async function write(batch: Waiting[]): Promise<void> {
  try {
    const written = await recordAttempts(batch.map(({ ended }) => ended));
    batch.forEach(({ resolve }, at) => resolve(written[at] ?? false));
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}
