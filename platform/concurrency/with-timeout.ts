/**
 * Settles as `work` does, or after `timeoutMs` as `otherwise` does. The work continues. The timer
 * does not keep the process alive.
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

/** Settles as `work` does, or rejects with the reason of an abort. The work continues. */
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
interface InterruptibleSleep {
  /** Ends the current or else the next sleep. */
  ring(): void;
  /** Sleeps `minMs`, then until `ring` or `maxMs`. */
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
