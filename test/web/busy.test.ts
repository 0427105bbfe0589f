import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Busy, toBusy, retryWhileBusy, waitAfter } from '../../web/page/busy.ts';

const NOW = Date.parse('2026-03-14T09:26:53Z');

beforeEach(() => vi.useFakeTimers({ now: NOW }));
afterEach(() => vi.useRealTimers());

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
