import { expect } from 'vitest';

/**
 * Asserts that something took at most a second each time, by the median, where a busy machine may
 * add ten times what a plain request takes it (`requestsMs`, measured meanwhile); and that none
 * took half a minute.
 */
export function expectWithinASecond(tookMs: readonly number[], requestsMs: readonly number[]): void {
  expect(tookMs.length).toBeGreaterThan(0);
  expect(median(tookMs)).toBeLessThanOrEqual(1_000 + 10 * median(requestsMs));
  expect(Math.max(...tookMs)).toBeLessThan(30_000);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
