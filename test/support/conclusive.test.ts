import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { conclusive } from './conclusive.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Returns an attempt that takes the next of `times` at each call, and then ends with `end`. */
function taking(times: number[], end: (at: number) => Promise<string>) {
  let at = 0;
  return () => {
    vi.advanceTimersByTime(times[at] ?? 0);
    return end((at += 1));
  };
}

test('an attempt that took too long is repeated, whether it passed or failed', async () => {
  const failsFirst = (at: number) =>
    at === 1 ? Promise.reject(new Error('too late')) : Promise.resolve(`attempt ${at}`);
  expect(await conclusive(1_000, taking([5_000, 1_000, 999], failsFirst))).toBe('attempt 3');
});

test('an attempt that ended in time and failed is a failure', async () => {
  const failing = taking([1_000, 10], () => Promise.reject(new Error('wrong')));
  await expect(conclusive(1_000, failing)).rejects.toThrow('wrong');
});

test('attempts that always take too long are a failure', async () => {
  const slow = taking(Array(100).fill(1_000), (at) => Promise.resolve(`attempt ${at}`));
  await expect(conclusive(1_000, slow)).rejects.toThrow('none of 30 attempts');
});
