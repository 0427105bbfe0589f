import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Busy, raceAttempts, toBusy, retryWhileBusy, waitAfter } from '../../web/page/busy.ts';

const NOW = Date.parse('2026-03-14T09:26:53Z');

beforeEach(() => vi.useFakeTimers({ now: NOW }));
afterEach(() => vi.useRealTimers());

describe('a read of the chat page after a lost connection', () => {
  const never = new AbortController().signal;

  test('a read whose connections are dead succeeds on the sixth connection after five waits, and ends the others', async () => {
    const signals: AbortSignal[] = [];
    const read = raceAttempts(
      (signal) => {
        signals.push(signal);
        return signals.length === 6 ? Promise.resolve('read') : new Promise<string>(() => undefined);
      },
      { silentMs: 2_000, deadline: never },
    );
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await read).toBe('read');
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true, true, true, false]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(signals).toHaveLength(6);
  });

  test('a read on a slow line succeeds with its first response, after at most six attempts', async () => {
    let attempts = 0;
    const read = raceAttempts(
      () => {
        attempts += 1;
        const own = attempts;
        return new Promise<number>((resolve) => setTimeout(() => resolve(own), 20_000));
      },
      { silentMs: 2_000, deadline: never },
    );
    await vi.advanceTimersByTimeAsync(20_000);
    expect([await read, attempts]).toEqual([1, 6]);
  });

  test('a read ends with the first error and at the deadline, and starts no further attempts', async () => {
    const deadline = new AbortController();
    const failing = vi.fn(() => Promise.reject(new Error('unreachable')));
    await expect(raceAttempts(failing, { silentMs: 2_000, deadline: never })).rejects.toThrow('unreachable');
    const hanging = vi.fn(
      (signal: AbortSignal) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
    );
    const read = raceAttempts(hanging, { silentMs: 2_000, deadline: deadline.signal });
    const refused = expect(read).rejects.toThrow('aborted');
    deadline.abort();
    await refused;
    await vi.advanceTimersByTimeAsync(60_000);
    expect([failing.mock.calls.length, hanging.mock.calls.length]).toEqual([1, 1]);
  });
});

describe('a request by the chat page', () => {
  test.each<[retryAfter: string | undefined, ms: number]>([
    ['7', 7_000],
    [' 7 ', 7_000],
    ['0', 0],
    [undefined, 0],
    ['', 0],
    ['soon', 0],
    ['-5', 0],
    ['Sat, 14 Mar 2026 09:27:03 GMT', 10_000],
    ['Sat, 14 Mar 2026 09:26:00 GMT', 0],
    ['86400', 60_000],
    ['99999999999999999999', 60_000],
  ])(
    'a read of the chat page with status 429 or 503 and Retry-After %j is retried after at least %i ms',
    (retryAfter, ms) => {
      const headers = new Headers(retryAfter === undefined ? {} : { 'Retry-After': retryAfter });
      expect(toBusy({ status: 429, headers })?.retryAfterMs).toBe(ms);
      expect(toBusy({ status: 503, headers })?.retryAfterMs).toBe(ms);
    },
  );

  test.each([200, 400, 401, 404, 500, 502])(
    'a read of the chat page with status %i is not treated as a sign of a busy server',
    (status) => {
      expect(toBusy({ status, headers: new Headers({ 'Retry-After': '7' }) })).toBeUndefined();
    },
  );

  test('a read of the chat page waits for the time in Retry-After and is retried', async () => {
    const answers = [new Busy(7_000), new Busy(3_000), 'read'];
    const asked: number[] = [];
    const reading = retryWhileBusy(() => {
      asked.push(Date.now() - NOW);
      const answer = answers.shift();
      return answer instanceof Busy ? Promise.reject(answer) : Promise.resolve(answer);
    });
    await vi.runAllTimersAsync();
    expect(await reading).toBe('read');
    expect(asked).toEqual([0, 7_000, 10_000]);
  });

  test('a read of the chat page stops at an error other than a busy server, and after 30 attempts at a busy server', async () => {
    await expect(retryWhileBusy(() => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
    let tries = 0;
    const reading = retryWhileBusy(() => {
      tries += 1;
      return Promise.reject(new Busy(0));
    }).catch((error: unknown) => error);
    await vi.runAllTimersAsync();
    expect(await reading).toBeInstanceOf(Busy);
    expect(tries).toBe(30);
  });

  test('a chat page that reconnects waits longer after each failure, and at least for the time in Retry-After', () => {
    expect(waitAfter(new Busy(30_000), 0)).toBe(30_000);
    expect(waitAfter(new Error('unreachable'), 5)).toBeGreaterThanOrEqual(7_500);
    expect(waitAfter(new Busy(0), 5)).toBeGreaterThanOrEqual(7_500);
  });
});
