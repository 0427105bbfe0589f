const SLICE_MS = 5;

const waiting: (() => void)[] = [];

export interface Slices {
  /** Call after each small step. Returns undefined while the slice lasts. */
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

// All long tasks share one slice per event loop turn: a short request waits for one slice at most.
function turn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(next);
  });
}

function next(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(next);
}
