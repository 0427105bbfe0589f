import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAfter } from '../../domain/timers/duration.ts';
import { toDraft, toTimer } from '../../web/console/timers/draft.ts';
import {
  DAYS,
  describeDays,
  describeTimer,
  formatDuration,
  joinDuration,
  splitDuration,
  toIsoDuration,
} from '../../web/console/timers/sentence.ts';
import type { Day, Timer } from '../../web/console/timers/sentence.ts';

const TIMER: Timer = { name: 'nobody', when: 'queued', after: 'PT10M', event: 'nobody.there', user: 'b1' };
const HOURS: NonNullable<Timer['hours']> = {
  timeZone: 'Europe/Amsterdam',
  week: [
    { days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:00' },
    { days: ['sat'], from: '10:00', to: '24:00' },
  ],
};

const sentence = (timer: Timer) =>
  describeTimer(timer, 'Helper bot')
    .map(({ text }) => text)
    .join('');

describe('the words of a timer in the console', () => {
  test.each<[Partial<Timer>, string]>([
    [{}, 'When no agent has taken a conversation for 10 minutes, post the event nobody.there as Helper bot.'],
    [
      { when: 'waiting', after: 1_000 },
      'When a contact has waited for a reply for 1 second, post the event nobody.there as Helper bot.',
    ],
    [
      { when: 'quiet', after: 'P400D', only: { category: ['sales', 'support'], touchpoint: ['sms'] } },
      'When a conversation has been quiet for 400 days, post the event nobody.there as Helper bot — only in category sales or support, touchpoint sms.',
    ],
    [
      { when: 'accepted', after: 'P2W', only: { type: ['contact'] }, hours: HOURS },
      'When an agent has taken a conversation and not replied for 2 weeks, post the event nobody.there as Helper bot — only in type contact — within opening hours (Mon–Fri 09:00–17:00, Sat 10:00–24:00, Europe/Amsterdam).',
    ],
  ])('the console writes the timer %j as a sentence', (fields, words) => {
    expect(sentence({ ...TIMER, ...fields })).toBe(words);
  });

  test.each<[number, string, string]>([
    [1_000, '1 second', 'PT1S'],
    [1_500, '1.5 seconds', 'PT1.5S'],
    [90_000, '90 seconds', 'PT90S'],
    [5_400_000, '90 minutes', 'PT90M'],
    [129_600_000, '36 hours', 'PT36H'],
    [172_800_000, '2 days', 'P2D'],
    [604_800_000, '1 week', 'P1W'],
  ])('the console writes %i milliseconds as %s and saves %s', (ms, words, iso) => {
    expect([formatDuration(ms), toIsoDuration(ms)]).toEqual([words, iso]);
  });

  test('every duration of a timer survives its way through the fields of the form', () => {
    const anyMs = fc.oneof(
      fc.integer({ min: 1_000, max: 400 * 86_400_000 }),
      fc.integer({ min: 1, max: 400 * 24 * 60 }).map((minutes) => minutes * 60_000),
    );
    fc.assert(
      fc.property(anyMs, (ms) => {
        const { amount, unit } = splitDuration(ms);
        expect(joinDuration(String(amount), unit)).toBe(ms);
        expect(parseAfter(toIsoDuration(ms))).toBe(ms);
      }),
    );
  });

  test.each<[Day[], string]>([
    [['fri', 'mon', 'tue', 'wed', 'thu'], 'Mon–Fri'],
    [['mon', 'tue'], 'Mon, Tue'],
    [['mon', 'wed', 'thu', 'fri', 'sun'], 'Mon, Wed–Fri, Sun'],
    [['sun', 'mon'], 'Mon, Sun'],
    [[...DAYS], 'every day'],
  ])('the console writes the days %j as %s', (days, words) => {
    expect(describeDays(days)).toBe(words);
  });
});

describe('the form of a timer in the console', () => {
  const anyTimer = fc
    .record({
      when: fc.constantFrom<Timer['when']>('queued', 'waiting', 'quiet', 'accepted', 'unread'),
      after: fc.constantFrom<Timer['after']>(1_000, 3_723_004, 'PT1H30M', 'P1DT12H', 'P3W', 'PT1.250S'),
      only: fc.constantFrom(
        undefined,
        { category: ['a'] },
        { type: ['bot' as const], touchpoint: ['sms', 'x'] },
      ),
      hours: fc.constantFrom(undefined, HOURS),
      disabled: fc.constantFrom(undefined, true),
      later: fc.constantFrom(undefined, 'a field of a later version'),
    })
    .map((fields) => JSON.parse(JSON.stringify({ ...TIMER, ...fields })) as Timer);

  test('a saved form without an edit changes nothing, also in fields that it does not show', () => {
    fc.assert(
      fc.property(anyTimer, (timer) => {
        expect(toTimer(toDraft(timer, 'UTC'), timer)).toEqual(timer);
      }),
    );
  });

  test('an edited duration is saved, and hidden conditions are dropped', () => {
    const timer = { ...TIMER, only: { category: ['a'] }, hours: HOURS };
    const draft = { ...toDraft(timer, 'UTC'), amount: '2', isNarrow: false, hasHours: false };
    expect(toTimer(draft, timer)).toEqual({ ...TIMER, after: 'PT2M' });
  });

  test.each(['', ' ', '-1', '0', '0.0009', '1e99', 'ten'])(
    'the form refuses the duration %j seconds',
    (amount) => {
      expect(() => toTimer({ ...toDraft(TIMER, 'UTC'), amount, unit: 'seconds' }, TIMER)).toThrow(
        'from 1 second',
      );
    },
  );
});
