import { useState } from 'preact/hooks';

/** Browsers pass changes of a page to screen readers with a delay. */
const SETTLED_MS = 500;

export function useBusy(): { isBusy: boolean; run: (work: () => Promise<unknown>) => Promise<void> } {
  const [count, setCount] = useState(0);
  return {
    isBusy: count > 0,
    async run(work) {
      setCount((now) => now + 1);
      await work().catch(() => undefined);
      setTimeout(() => setCount((now) => now - 1), SETTLED_MS);
    },
  };
}
