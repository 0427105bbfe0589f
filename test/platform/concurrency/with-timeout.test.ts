import { describe, expect, test } from 'vitest';
import { withTimeout } from '../../../platform/concurrency/with-timeout.ts';

const never = new Promise<never>(() => undefined);

describe('a promise with a timeout', () => {
  test('a promise with a timeout settles with the result of the work if the work settles in time', async () => {
    expect(await withTimeout(Promise.resolve(1), 10_000, () => 2)).toBe(1);
    await expect(withTimeout(Promise.reject(new Error('no')), 10_000, () => 2)).rejects.toThrow('no');
  });

  test('a promise with a timeout settles with the fallback after the timeout', async () => {
    // The timer of withTimeout does not keep the process alive, so the test sets an interval.
    const alive = setInterval(() => undefined, 1_000);
    expect(await withTimeout(never, 5, () => 2)).toBe(2);
    const refusing = withTimeout(never, 5, () => {
      throw new Error('too late');
    });
    await expect(refusing).rejects.toThrow('too late');
    clearInterval(alive);
  });
});
