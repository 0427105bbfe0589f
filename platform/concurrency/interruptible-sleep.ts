/** Something to sleep on that can be woken from. */
export interface InterruptibleSleep {
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
