import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLocalDay, daysBetween, startOfLocalDay } from '../../domain/local-day.ts';
import type { LocalDay } from '../../domain/local-day.ts';

const ZONES = [
  ...['UTC', 'Europe/Amsterdam', 'America/New_York', 'America/St_Johns', 'Asia/Kathmandu', 'Asia/Beirut'],
  ...['Africa/Cairo', 'Australia/Lord_Howe', 'Pacific/Apia', 'Pacific/Kiritimati', 'Pacific/Chatham'],
  ...['America/Sao_Paulo', 'Etc/GMT+12'],
];

const RANGE = { min: Date.UTC(2000, 0), max: Date.UTC(2040, 0) };

function localDay(timeZone: string): LocalDay {
  const found = createLocalDay(timeZone);
  if (!found) throw new Error(`${timeZone} is no time zone`);
  return found;
}

const anyDay = fc.record({ zone: fc.constantFrom(...ZONES), time: fc.integer(RANGE) });

test('a local day equals the date that Intl shows for that moment', () => {
  fc.assert(
    fc.property(anyDay, ({ zone, time }) => {
      const parts = new Intl.DateTimeFormat('en', {
        timeZone: zone,
        year: 'numeric',
        month: '2-digit',
        day: '2-digit',
      }).formatToParts(time);
      const part = (type: string) => parts.find((one) => one.type === type)?.value;
      expect(localDay(zone)(time)).toBe(`${part('year')}-${part('month')}-${part('day')}`);
    }),
  );
});

test('the start of a local day is its first moment', () => {
  fc.assert(
    fc.property(anyDay, ({ zone, time }) => {
      const midnight = Math.floor(time / 86_400_000) * 86_400_000;
      const day = new Date(midnight).toISOString().slice(0, 10);
      const dayAt = localDay(zone);
      const start = startOfLocalDay(midnight, dayAt);
      expect(dayAt(start) >= day).toBe(true);
      expect(dayAt(start - 1) < day).toBe(true);
    }),
  );
});

test.each([
  ['the clock skips an hour', 'Europe/Amsterdam', '2026-03-29', '2026-03-28T23:00:00.000Z', 23],
  ['the clock repeats an hour', 'Europe/Amsterdam', '2026-10-25', '2026-10-24T22:00:00.000Z', 25],
  ['midnight does not exist', 'America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z', 23],
])('a day on which %s begins and ends at its local midnight', (_, zone, day, start, hours) => {
  const dayAt = localDay(zone);
  const begins = startOfLocalDay(Date.parse(day), dayAt);
  expect(new Date(begins).toISOString()).toBe(start);
  expect((startOfLocalDay(Date.parse(day) + 86_400_000, dayAt) - begins) / 3_600_000).toBe(hours);
});

test('a day that a time zone skipped starts with the day after it', () => {
  const dayAt = localDay('Pacific/Apia');
  const start = startOfLocalDay(Date.parse('2011-12-30'), dayAt);
  expect(dayAt(start)).toBe('2011-12-31');
  expect(dayAt(start - 1)).toBe('2011-12-29');
});

test.each(['', 'Mars/Olympus', '+01:00', 'x'.repeat(10_000), '../etc/passwd', 'Europe/Amsterdam\u0000'])(
  'an unknown time zone has no days: %j',
  (timeZone) => {
    expect(createLocalDay(timeZone)).toBeUndefined();
  },
);

test('the days between two days are all calendar days, both included', () => {
  expect(daysBetween('2028-02-28', '2028-03-01')).toEqual(['2028-02-28', '2028-02-29', '2028-03-01']);
  expect(daysBetween('2026-03-14', '2026-03-14')).toEqual(['2026-03-14']);
});
