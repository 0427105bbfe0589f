import { describe, expect, test } from 'vitest';
import { backoffMs, wait, withTimeout } from '../src/send.ts';

describe('the delay before the next attempt', () => {
  test.each([
    [0, 125, 250],
    [1, 250, 500],
    [3, 1000, 2000],
    [5, 4000, 8000],
    [60, 4000, 8000],
  ])(
    'the delay before the next attempt after attempt %i is %i to %i ms, so that clients spread their retries',
    (attempt, least, most) => {
      expect(backoffMs(attempt, undefined, 0)).toBe(least);
      expect(backoffMs(attempt, undefined, 1)).toBe(most);
    },
  );

  test('the delay before the next attempt is never shorter than the Retry-After of Parlance', () => {
    for (const random of [0, 0.5, 0.999]) expect(backoffMs(0, 3, random)).toBeGreaterThanOrEqual(3000);
  });
});

test.each([2 ** 31, 1e12, Infinity])('a wait of %d ms does not end at once', async (ms) => {
  const end = new AbortController();
  const waiting = wait(ms, end.signal).then(() => 'ended at once');
  const request = withTimeout(ms, end.signal, (signal) => wait(1e12, signal)).then(() => 'timed out at once');
  // An overflowing timer fires after 1 ms, which is before this timer.
  await wait(20);
  end.abort(new Error('still waiting'));
  await expect(waiting).rejects.toThrow('still waiting');
  await expect(request).rejects.toThrow('still waiting');
});

describe('an abort signal', () => {
  test('a wait rejects at once if its abort signal is aborted already', async () => {
    await expect(wait(60_000, AbortSignal.abort(new Error('over')))).rejects.toThrow('over');
  });

  test('a wait rejects when its abort signal aborts', async () => {
    const end = new AbortController();
    const waiting = wait(60_000, end.signal);
    end.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
  });

  test("aborted work rejects with the reason of the caller's signal, even if the work fails with another error", async () => {
    const end = new AbortController();
    const run = withTimeout(60_000, end.signal, (signal) => {
      end.abort(new Error('mine'));
      return Promise.reject(new Error(`another than ${String(signal.aborted)}`));
    });
    await expect(run).rejects.toThrow('mine');
  });

  test('work that exceeds its timeout is aborted', async () => {
    const hanging = (signal: AbortSignal) =>
      new Promise((_, reject) =>
        signal.addEventListener('abort', () => {
          reject(signal.reason as Error);
        }),
      );
    await expect(withTimeout(10, undefined, hanging)).rejects.toThrow('no answer within 10 ms');
  });
});
