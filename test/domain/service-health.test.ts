import { describe, expect, test } from 'vitest';
import {
  isGivenUp,
  isPublished,
  isReceiving,
  reasonToDisable,
  assessAttempt,
} from '../../domain/delivery/service-health.ts';

const DAY_MS = 24 * 3600 * 1000;
const NOW = new Date('2026-11-22T12:00:00Z');
const daysAgo = (days: number) => new Date(NOW.getTime() - days * DAY_MS);

describe('assessAttempt (spec 7.10)', () => {
  test.each([
    ['a 2xx', { outcome: 'delivered', status: 204 }, false, { is: 'answering' }],
    ['a 500 with attempts left', { outcome: 'rejected', status: 500 }, false, { is: 'failing' }],
    ['a timeout with attempts left', { outcome: 'timed_out' }, false, { is: 'failing' }],
    [
      'a 500 at the last attempt',
      { outcome: 'rejected', status: 500 },
      true,
      { is: 'given up', reason: 'An event was given up after the last attempt.' },
    ],
    [
      'a 410 with attempts left',
      { outcome: 'rejected', status: 410 },
      false,
      { is: 'out of use', status: 'disabled', reason: 'The receiver responded with 410 Gone.' },
    ],
    [
      'a private address with attempts left',
      { outcome: 'private_address', reason: 'The address is not public (loopback).' },
      false,
      { is: 'out of use', status: 'failed', reason: 'The address is not public (loopback).' },
    ],
  ] as const)('assessAttempt returns the expected verdict on %s', (_, attempt, isLast, verdict) => {
    expect(assessAttempt(attempt, isLast)).toEqual(verdict);
  });

  test('an error of a service is published only if a delivery is given up or the service stops receiving deliveries', () => {
    const verdicts = [
      assessAttempt({ outcome: 'delivered' }, true),
      assessAttempt({ outcome: 'unreachable' }, false),
      assessAttempt({ outcome: 'unreachable' }, true),
      assessAttempt({ outcome: 'private_address' }, false),
    ];
    expect(verdicts.map(isPublished)).toEqual([false, false, true, true]);
  });
});

describe('a service that keeps failing', () => {
  test('a service that keeps failing is disabled after five days with ten given-up events, and the reason is stated', () => {
    expect(reasonToDisable({ failingSince: daysAgo(5), failedEvents: 10 }, NOW)).toBe(
      'No delivery succeeded in five days, and 10 were given up.',
    );
  });

  test.each([
    [
      'slightly less than five days of failures',
      { failingSince: new Date(daysAgo(5).getTime() + 1), failedEvents: 99 },
    ],
    ['nine given-up events', { failingSince: daysAgo(30), failedEvents: 9 }],
    ['given-up events without a time of the first failure', { failedEvents: 99 }],
    ['no failure', {}],
  ])('a service stays enabled after %s', (_, record) => {
    expect(reasonToDisable(record, NOW)).toBeNull();
  });
});

test('waiting deliveries are given up if their service is removed, or disabled by Parlance, but not if an admin paused the service', () => {
  expect(isGivenUp(null)).toBe(true);
  expect(isGivenUp({ status: 'disabled' })).toBe(true);
  expect(isGivenUp({ status: 'disabled', paused: true })).toBe(false);
  for (const status of ['active', 'pending', 'failed']) expect(isGivenUp({ status })).toBe(false);
});

test('a channel receives unless an admin paused it', () => {
  for (const status of ['active', 'pending', 'failed', 'disabled'])
    expect(isReceiving({ status })).toBe(true);
  expect(isReceiving({ status: 'disabled', paused: true })).toBe(false);
});
