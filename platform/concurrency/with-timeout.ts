/**
 * What `work` resolves to, or rejects with; after `timeoutMs` what `otherwise` answers, or throws.
 * The work itself goes on. The timer keeps no process alive.
 */
export async function withTimeout<T, F>(
  work: Promise<T>,
  timeoutMs: number,
  otherwise: () => F | Promise<F>,
): Promise<T | F> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs).unref();
  });
  try {
    return await Promise.race([work, late.then(otherwise)]);
  } finally {
    clearTimeout(timer);
  }
}
/**
 * Waits for something that cannot be cut off itself, but no longer than until the signal; rejects
 * with its reason then.
 */
export async function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let cut = (): void => undefined;
  const ended = new Promise<never>((_, reject) => {
    cut = () => reject(signal.reason as Error);
    signal.addEventListener('abort', cut);
  });
  try {
    return await Promise.race([work, ended]);
  } finally {
    signal.removeEventListener('abort', cut);
  }
}
/** Something to sleep on that can be woken from. */
interface InterruptibleSleep {
  /** Ends the sleep that runs, or else the next one. */
  ring(): void;
  /** Sleeps at least `minMs` and at most `maxMs`; in between, a ring ends it. */
  sleep(minMs: number, maxMs: number): Promise<void>;
}

export function createInterruptibleSleep(): InterruptibleSleep {
  let rung = false;
  let wake: (() => void) | null = null;

  function waitForRing(ms: number): Promise<void> {
    if (rung) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  return {
    ring() {
      rung = true;
      wake?.();
    },
    async sleep(minMs, maxMs) {
      if (minMs > 0) await new Promise((resolve) => setTimeout(resolve, minMs));
      await waitForRing(Math.max(0, maxMs - minMs));
      wake = null;
      rung = false;
    },
  };
}
