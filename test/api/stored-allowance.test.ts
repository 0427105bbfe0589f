import { expect, test } from 'vitest';
import { postAsContact, countStoredBytes } from '../../api/chat-page/post.ts';
import type { Api } from '../../api/request.ts';

const LONG = '\u{1F600}'.repeat(32_000);
const HOUR_MS = 3_600_000;

const api = (perAddress = 20) => ({ config: { rateLimits: { perAddress } } }) as Api;
const requestOf = (address: string, text: string) =>
  ({ client: { address }, body: { key: 'k', text } }) as Parameters<typeof postAsContact>[0];

/**
 * Counts posts against the allowance until a refusal. Returns the number of accepted posts, at most
 * 100,000.
 */
function postAll(address: string, text: string, now: number): number {
  for (let accepted = 0; accepted < 100_000; accepted += 1) {
    try {
      countStoredBytes(requestOf(address, text), api(), now);
    } catch {
      return accepted;
    }
  }
  return 100_000;
}

/** Spec 10.3. */
test('an address can store 32 Mi characters of contact messages at once, then 16 Mi characters per hour', async () => {
  const now = performance.now();
  const accepted = postAll('192.0.2.1', LONG, now);
  expect(accepted * LONG.length).toBeLessThanOrEqual(33 * 1024 * 1024);
  expect(accepted).toBeGreaterThan(500);
  expect(Math.abs(postAll('192.0.2.1', LONG, now + HOUR_MS) - accepted / 2)).toBeLessThan(3);
  // Uses a future time, so that the allowance does not refill during the test.
  expect(postAll('192.0.2.2', 'short', now + HOUR_MS)).toBeGreaterThan(30_000);
  await expect(postAsContact(requestOf('192.0.2.2', 'short'), api())).rejects.toMatchObject({
    code: 'rate_limited',
  });
  for (let n = 0; n < 1_000; n += 1) countStoredBytes(requestOf('192.0.2.3', LONG), api(0), now);
});
