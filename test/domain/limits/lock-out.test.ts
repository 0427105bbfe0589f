import { describe, expect, test } from 'vitest';
import {
  forgottenBefore,
  LOGIN_LOCK_OUT,
  lockedForSeconds,
  lockedUntil,
} from '../../../domain/limits/lock-out.ts';

const MINUTE_MS = 60_000;
const NOW = Date.parse('2026-11-22T12:00:00Z');

/** Returns `count` failures that are `minutesAgo` minutes old. */
function failures(count: number, minutesAgo: number): Date[] {
  return Array.from({ length: count }, () => new Date(NOW - minutesAgo * MINUTE_MS));
}

describe('the lock-out after failed logins (spec 3.3)', () => {
  test('the lock-out begins with the tenth failed login and lasts 15 minutes after that failure', () => {
    const locked = [...failures(9, 14), ...failures(1, 5)];
    expect(lockedUntil(locked, LOGIN_LOCK_OUT, NOW)).toEqual(new Date(NOW + 10 * MINUTE_MS));
    expect(lockedUntil(locked.slice(0, 9), LOGIN_LOCK_OUT, NOW)).toBeNull();
  });

  test('the lock-out ends exactly 15 minutes after the tenth failed login', () => {
    const locked = failures(10, 0);
    const end = NOW + 15 * MINUTE_MS;
    expect(lockedUntil(locked, LOGIN_LOCK_OUT, end - 1)).toEqual(new Date(end));
    expect(lockedUntil(locked, LOGIN_LOCK_OUT, end)).toBeNull();
  });

  test('the lock-out ignores failed logins older than 15 minutes', () => {
    expect(forgottenBefore(LOGIN_LOCK_OUT, NOW)).toEqual(new Date(NOW - 15 * MINUTE_MS));
  });

  test('a lock-out has a remaining time of at least one second', () => {
    expect(lockedForSeconds(new Date(NOW + 1), NOW)).toBe(1);
    expect(lockedForSeconds(new Date(NOW - 5), NOW)).toBe(1);
    expect(lockedForSeconds(new Date(NOW + 61_001), NOW)).toBe(62);
  });
});
