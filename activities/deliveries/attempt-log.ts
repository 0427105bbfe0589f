import { recordAttempts } from '../../store/delivery-attempts.ts';
import type { EndedAttempt } from '../../store/delivery-attempts.ts';

/** As many as one statement may carry, each with an answer of up to 16 KiB. */
const MOST_AT_ONCE = 200;

/** Where attempts are written. */
export interface AttemptLog {
  /** Resolves when the attempt is stored. False: somebody else has dealt with the delivery meanwhile, and nothing was written. */
  record: (ended: EndedAttempt) => Promise<boolean>;
}

interface Waiting {
  ended: EndedAttempt;
  resolve: (written: boolean) => void;
  reject: (error: unknown) => void;
}

/** One write is under way at a time; the attempts of all lanes that end meanwhile go together in the next. */
export function createAttemptLog(): AttemptLog {
  const waiting: Waiting[] = [];
  let writing = false;

  async function writeAll(): Promise<void> {
    writing = true;
    while (waiting.length > 0) await write(waiting.splice(0, MOST_AT_ONCE));
    writing = false;
  }

  return {
    record: (ended) =>
      new Promise((resolve, reject) => {
        waiting.push({ ended, resolve, reject });
        if (!writing) void writeAll();
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
