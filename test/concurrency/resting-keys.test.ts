import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { restingKeys } from '../../concurrency/resting-keys.ts';
import { eventually } from '../support/eventually.ts';

test('a key rests while it is worked on, and for a while after', async () => {
  const resting = restingKeys(100);
  let end: () => void = () => undefined;
  const working = resting.during('a', () => new Promise<void>((resolve) => (end = resolve)));
  expect([resting.has('a'), resting.has('b'), resting.size()]).toEqual([true, false, 1]);
  await wait(150);
  expect(resting.has('a')).toBe(true);
  end();
  await working;
  expect(resting.has('a')).toBe(true);
  await eventually(() => !resting.has('a') && resting.size() === 0);
});

test('a key does not rest after work that failed', async () => {
  const resting = restingKeys(60_000);
  await expect(resting.during('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect([resting.has('a'), resting.size()]).toEqual([false, 0]);
});
