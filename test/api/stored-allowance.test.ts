import { expect, test } from 'vitest';
import { postAsContact, countStoredBytes } from '../../api/chat-page/post.ts';
import { assertUploadAllowance, noteUpload } from '../../api/files/upload.ts';
import type { Api } from '../../api/request.ts';

const LONG = '\u{1F600}'.repeat(32_000);
const HOUR_MS = 3_600_000;

const api = (perAddress = 20) => ({ config: { rateLimits: { perAddress } } }) as Api;
const requestOf = (address: string, text: string, slug = address) =>
  ({ client: { address }, params: { slug }, body: { key: 'k', text } }) as unknown as Parameters<
    typeof postAsContact
  >[0];

/**
 * Counts posts against the allowance until a refusal. Returns the number of accepted posts, at most
 * 100,000.
 */
function postAll(address: string, text: string, now: number, slug = address): number {
  for (let accepted = 0; accepted < 100_000; accepted += 1) {
    try {
      countStoredBytes(requestOf(address, text, slug), api(), now);
    } catch {
      return accepted;
    }
  }
  return 100_000;
}

/** Spec 10.3. */
test('one chat at an address can store 16 Mi characters at once, then 16 Mi characters per hour', async () => {
  const now = performance.now();
  const accepted = postAll('192.0.2.1', LONG, now);
  expect(accepted * LONG.length).toBeLessThanOrEqual(16 * 1024 * 1024);
  expect(accepted).toBeGreaterThan(250);
  expect(Math.abs(postAll('192.0.2.1', LONG, now + HOUR_MS) - accepted)).toBeLessThan(3);
  // Uses a future time, so that the allowance does not refill during the test.
  expect(postAll('192.0.2.2', 'short', now + HOUR_MS)).toBeGreaterThan(15_000);
  await expect(postAsContact(requestOf('192.0.2.2', 'short'), api())).rejects.toMatchObject({
    code: 'rate_limited',
  });
  for (let n = 0; n < 1_000; n += 1) countStoredBytes(requestOf('192.0.2.3', LONG), api(0), now);
});

test('a chat that uses much leaves the other chats at its address room for long messages', () => {
  const now = performance.now();
  for (let key = 0; key < 6; key += 1) postAll('192.0.2.4', LONG, now, `busy ${key}`);
  expect(postAll('192.0.2.4', LONG, now, 'new')).toBeGreaterThan(0);
  // Many chats together cannot store more than the address may.
  for (let key = 0; key < 1_000; key += 1) postAll('192.0.2.4', LONG, now, `more ${key}`);
  expect(postAll('192.0.2.4', LONG, now, 'late')).toBe(0);
  expect(postAll('192.0.2.4', 'a short question', now, 'late')).toBeGreaterThan(0);
});

test('a chat that uploads much leaves the other chats at its address room for files', () => {
  const now = performance.now();
  const MIB = 1024 * 1024;
  const upload = (address: string, chat: string, at = now): boolean => {
    const branch = [address, chat] as const;
    try {
      assertUploadAllowance(branch, 16 * MIB, api(), at);
    } catch {
      return false;
    }
    noteUpload(branch, 16 * MIB, at);
    return true;
  };
  const count = (address: string, chat: string, at = now) => {
    let files = 0;
    while (files < 100 && upload(address, chat, at)) files += 1;
    return files;
  };
  expect(count('192.0.2.5', 'busy')).toBe(8);
  expect(count('192.0.2.5', 'other')).toBeGreaterThan(0);
  for (let chat = 0; chat < 100; chat += 1) count('192.0.2.5', `more ${chat}`);
  expect(count('192.0.2.5', 'late')).toBe(0);
  expect(count('192.0.2.6', 'elsewhere')).toBe(8);
  expect(count('192.0.2.5', 'late', now + 2 * HOUR_MS)).toBe(8);
  expect(() => assertUploadAllowance(['192.0.2.5', 'late'], 16 * MIB, api(0), now)).not.toThrow();
});
