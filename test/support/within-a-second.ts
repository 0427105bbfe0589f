import { expect } from 'vitest';

/**
 * Asserts that the maximum is below half a minute, and that the median is at most one second plus
 * ten times the median of plain requests measured at the same time (`requestsMs`). These requests
 * are slow on a busy machine.
 */
export function expectWithinASecond(tookMs: readonly number[], requestsMs: readonly number[]): void {
  expect(tookMs.length).toBeGreaterThan(0);
  expect(median(tookMs)).toBeLessThanOrEqual(1_000 + 10 * median(requestsMs));
  expect(Math.max(...tookMs)).toBeLessThan(30_000);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
