/** What a load took. Times in milliseconds. */
export interface Measured {
  perSecond: number;
  p50: number;
  p99: number;
}

/** Calls `work(n)` for n = 0, 1, 2 … with `inFlight` calls under way, for about `seconds`. */
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
  times.sort((a, b) => a - b);
  const quantile = (q: number) =>
    times[Math.min(times.length - 1, Math.floor(q * times.length))] ?? Number.NaN;
  return { perSecond: times.length / elapsed, p50: quantile(0.5), p99: quantile(0.99) };
}

/** The median of several measurements, and how far they lay apart. */
export function spreadOf(values: number[]): { min: number; median: number; max: number } {
  const sorted = [...values].sort((a, b) => a - b);
  return {
    min: sorted[0] ?? Number.NaN,
    median: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN,
    max: sorted.at(-1) ?? Number.NaN,
  };
}
