import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isTimeZone } from '../../../domain/local-day.ts';
import { WEEKDAYS, addOpenTime, weeklyOpenMs } from '../../../domain/timers/hours.ts';
import type { Hours } from '../../../domain/timers/hours.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const office = (timeZone: string, from = '09:00', to = '17:00'): Hours => ({
  timeZone,
  week: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from, to }],
});
const always = (timeZone: string): Hours => ({
  timeZone,
  week: [{ days: [...WEEKDAYS], from: '00:00', to: '24:00' }],
});

function due(since: string, ms: number, hours: Hours): string | undefined {
  const at = addOpenTime(Date.parse(since), ms, hours);
  return at === undefined ? undefined : new Date(at).toISOString();
}

describe('opening hours', () => {
  const zone = 'Europe/Amsterdam';

  test('time passes only within the hours', () => {
    // Friday at 16:30 in winter, then the weekend.
    expect(due('2026-01-09T15:30:00Z', HOUR, office(zone))).toBe('2026-01-12T08:30:00.000Z');
    // Before the hours begin.
    expect(due('2026-01-09T05:00:00Z', HOUR, office(zone))).toBe('2026-01-09T09:00:00.000Z');
    // The end of the hours is still within them.
    expect(due('2026-01-09T15:00:00Z', HOUR, office(zone))).toBe('2026-01-09T16:00:00.000Z');
  });

  test('the hours follow daylight saving time', () => {
    // The clocks go forward on Sunday, 29 March 2026.
    expect(due('2026-03-27T15:30:00Z', HOUR, office(zone))).toBe('2026-03-30T07:30:00.000Z');
    // The clocks go back on Sunday, 25 October 2026.
    expect(due('2026-10-23T14:30:00Z', HOUR, office(zone))).toBe('2026-10-26T08:30:00.000Z');
  });

  test('an hour that the clocks skip does not count, and a repeated hour counts twice', () => {
    const night: Hours = { timeZone: zone, week: [{ days: ['sun'], from: '02:00', to: '03:00' }] };
    // The whole opening hour of 29 March is skipped.
    expect(due('2026-03-28T12:00:00Z', 30 * MINUTE, night)).toBe('2026-04-05T00:30:00.000Z');
    // On 25 October it takes two hours.
    expect(due('2026-10-24T12:00:00Z', 90 * MINUTE, night)).toBe('2026-10-25T01:30:00.000Z');
  });

  test('hours that are always open are plain time in every zone', () => {
    const zones = fc.constantFrom(
      zone,
      'America/New_York',
      'Australia/Lord_Howe',
      'Asia/Kathmandu',
      'Africa/Casablanca',
      'UTC',
    );
    const since = fc.integer({ min: Date.parse('2024-01-01'), max: Date.parse('2029-01-01') });
    const ms = fc.integer({ min: 1, max: 400 * 24 * HOUR });
    fc.assert(
      fc.property(zones, since, ms, (timeZone, from, wait) => {
        expect(addOpenTime(from, wait, always(timeZone))).toBe(from + wait);
      }),
      { numRuns: 60 },
    );
  });

  test('a longer wait is never due earlier, and every wait ends within the hours', () => {
    const zones = fc.constantFrom(zone, 'America/Santiago', 'Asia/Tehran', 'Pacific/Apia');
    const since = fc.integer({ min: Date.parse('2025-01-01'), max: Date.parse('2028-01-01') });
    const ms = fc.integer({ min: 1, max: 60 * 24 * HOUR });
    fc.assert(
      fc.property(zones, since, ms, fc.integer({ min: 0, max: HOUR }), (timeZone, from, wait, more) => {
        const hours = office(timeZone);
        const at = addOpenTime(from, wait, hours) ?? 0;
        expect(addOpenTime(from, wait + more, hours)).toBeGreaterThanOrEqual(at + more);
        const format = new Intl.DateTimeFormat('en-GB', {
          timeZone,
          hourCycle: 'h23',
          weekday: 'short',
          hour: '2-digit',
          minute: '2-digit',
        });
        const [day = '', time = ''] = format
          .format(at - 1)
          .replace(',', '')
          .split(' ');
        expect(['Sat', 'Sun']).not.toContain(day);
        expect(time >= '09:00' && time < '17:00').toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  test('whole weeks are skipped without changing the result', () => {
    const hours = office(zone);
    const since = Date.parse('2026-02-02T09:30:00Z');
    let step = since;
    // Adds 30 weeks an hour at a time.
    for (let hour = 0; hour < 30 * 40; hour += 1) step = addOpenTime(step, HOUR, hours) ?? 0;
    expect(addOpenTime(since, 30 * 40 * HOUR, hours)).toBe(step);
  });

  test('overlapping hours count once', () => {
    const { week } = office(zone);
    const twice = { timeZone: zone, week: [...week, { days: ['mon' as const], from: '12:00', to: '18:00' }] };
    expect(weeklyOpenMs(twice)).toBe(41 * HOUR);
  });

  test('only names of time zones are time zones', () => {
    expect([zone, 'UTC', '+01:00', 'Mars/Olympus', ''].map(isTimeZone)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});
