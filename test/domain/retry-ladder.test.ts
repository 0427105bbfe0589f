import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextWaitMs, waitsUntil } from '../../domain/delivery/retry-ladder.ts';

const LADDER = [5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400];

describe('the retry ladder', () => {
  test('the retry ladder waits the configured time after each attempt and ends after the last attempt', () => {
    const waits = LADDER.map((_, at) => nextWaitMs(LADDER, { attempts: at + 1 }, 0.5));
    expect(waits).toEqual(LADDER.map((seconds) => seconds * 1000));
    expect(nextWaitMs(LADDER, { attempts: LADDER.length + 1 }, 0.5)).toBeNull();
  });

  test('the retry ladder varies each wait by up to 20 %', () => {
    expect(nextWaitMs([100], { attempts: 1 }, 0)).toBe(80_000);
    expect(nextWaitMs([100], { attempts: 1 }, 0.999_999)).toBeCloseTo(120_000, -2);
  });

  test('the retry ladder follows Retry-After up to twice the planned wait, and never waits less than planned because of it', () => {
    expect(nextWaitMs([100], { attempts: 1, retryAfterSeconds: 150 }, 0.5)).toBe(150_000);
    expect(nextWaitMs([100], { attempts: 1, retryAfterSeconds: 1_000_000 }, 0.5)).toBe(200_000);
    expect(nextWaitMs([100], { attempts: 1, retryAfterSeconds: 1 }, 0.5)).toBe(100_000);
  });

  test('the retry ladder waits between 80 % and twice the planned time', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 100_000, noNaN: true }),
        fc.double({ min: 0, max: 1_000_000, noNaN: true }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (planned, retryAfterSeconds, random) => {
          const waitMs = nextWaitMs([planned], { attempts: 1, retryAfterSeconds }, random) ?? Number.NaN;
          expect(waitMs).toBeGreaterThanOrEqual(planned * 800 - 1);
          expect(waitMs).toBeLessThanOrEqual(planned * 2000 + 1);
        },
      ),
    );
  });
});

describe('a delivery on the ladder', () => {
  const now = Date.parse('2026-03-01T12:00:00.000Z');
  const at = (ms: number) => new Date(now + ms);

  test('a delivery waits exactly until the time of its next attempt', () => {
    expect(waitsUntil({ retryAt: at(1) }, now)).toEqual(at(1));
    expect(waitsUntil({ retryAt: at(0) }, now)).toBeNull();
    expect(waitsUntil({ retryAt: at(-1) }, now)).toBeNull();
  });

  test('a delivery does not wait before its first attempt or after a manual retry, even if its row is deferred', () => {
    const hidden: { tries: number; dueAt: Date; retryAt?: Date }[] = [
      { tries: 0, dueAt: at(3_600_000) },
      { tries: 3, dueAt: at(3_600_000) },
    ];
    expect(hidden.map((delivery) => waitsUntil(delivery, now))).toEqual([null, null]);
  });
});
