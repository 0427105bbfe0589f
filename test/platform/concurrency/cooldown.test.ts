import { expect, onTestFinished, test, vi } from 'vitest';
import { createCooldown } from '../../../platform/concurrency/cooldown.ts';

test('a cooldown lets a key rest during its work and for the configured time after the work', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const resting = createCooldown(100);
  let end: () => void = () => undefined;
  const working = resting.during('a', () => new Promise<void>((resolve) => (end = resolve)));
  expect([resting.has('a'), resting.has('b'), resting.size()]).toEqual([true, false, 1]);
  vi.advanceTimersByTime(60_000);
  expect(resting.has('a')).toBe(true);
  end();
  await working;
  expect(resting.has('a')).toBe(true);
  vi.advanceTimersByTime(99);
  expect(resting.has('a')).toBe(true);
  vi.advanceTimersByTime(1);
  expect([resting.has('a'), resting.size()]).toEqual([false, 0]);
});

test('a cooldown does not let a key rest after failed work', async () => {
  const resting = createCooldown(60_000);
  await expect(resting.during('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect([resting.has('a'), resting.size()]).toEqual([false, 0]);
});
