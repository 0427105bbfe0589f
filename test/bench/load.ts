/** Results of a load. Times are in milliseconds. */
export interface Measured {
  count: number;
  perSecond: number;
  p50: number;
  p99: number;
}

/** Calls `work(n)` for n = 0, 1, 2 … with `inFlight` concurrent calls, for about `seconds`. */
export async function load(
  work: (n: number) => Promise<unknown>,
  { inFlight, seconds }: { inFlight: number; seconds: number },
): Promise<Measured> {
  const times: number[] = [];
  const startedAt = performance.now();
  const deadline = startedAt + seconds * 1000;
  let next = 0;
  const runner = async () => {
    while (performance.now() < deadline) {
      const before = performance.now();
      await work(next++);
      times.push(performance.now() - before);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, runner));
  const elapsed = (performance.now() - startedAt) / 1000;
  const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)];
  return { count: times.length, perSecond: times.length / elapsed, p50, p99 };
}

/** Returns the quantile `part` (0 to 1); NaN for an empty list. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN;
}

export interface Spread {
  min: number;
  median: number;
  max: number;
}

export function spreadOf(values: readonly number[]): Spread {
  return { min: quantile(values, 0), median: quantile(values, 0.5), max: quantile(values, 1) };
}
