/** How long anything works on the only thread before others have their turn. */
const SLICE_MS = 5;

const waiting: (() => void)[] = [];

/** How something that takes long shares the only thread with all that is short. */
export interface Slices {
  /**
   * Ask after each small piece of work: nothing to wait for while the slice lasts, else resolves
   * when the next one begins.
   */
  rest: () => Promise<void> | undefined;
}

export function createSlices(): Slices {
  let begun = performance.now();
  return {
    rest() {
      if (performance.now() - begun < SLICE_MS) return undefined;
      return turn().then(() => {
        begun = performance.now();
      });
    },
  };
}

/** What `work` makes of each item, in slices. */
export async function inSlices<T, R>(items: readonly T[], work: (item: T) => R): Promise<R[]> {
  const slices = createSlices();
  const results: R[] = [];
  for (const item of items) {
    results.push(work(item));
    const rest = slices.rest();
    if (rest) await rest;
  }
  return results;
}

// One slice between two looks at what has arrived, however much takes long: what is short waits for
// one slice, not for all.
function turn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(next);
  });
}

function next(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(next);
}
