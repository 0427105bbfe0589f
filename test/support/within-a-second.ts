import { expect } from 'vitest';

/**
 * Asserts that the maximum of `tookMs` is below half a minute, and that the median of `tookMs` is
 * at most one second plus ten times the median of `requestsMs`. `requestsMs` has the times of plain
 * requests in the same period, which are slow on a busy machine.
 */
export function expectWithinASecond(tookMs: readonly number[], requestsMs: readonly number[]): void {
  expect(tookMs.length).toBeGreaterThan(0);
  expect(median(tookMs)).toBeLessThanOrEqual(1_000 + 10 * median(requestsMs));
  expect(Math.max(...tookMs)).toBeLessThan(30_000);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
