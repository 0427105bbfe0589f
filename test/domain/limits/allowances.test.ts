import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createAllowances, createSharedTime } from '../../../domain/limits/allowances.ts';

describe('an allowance', () => {
  const one = () => createAllowances({ max: 1_000, backPerMs: 0.5 });

  test('an allowance may be overdrawn, and waitMs then returns the time until the debt is repaid', () => {
    const allowances = one();
    allowances.use(['root', 'ann'], 999, 0);
    expect(allowances.waitMs(['root', 'ann'], 0)).toBe(0);
    allowances.use(['root', 'ann'], 501, 0);
    expect(allowances.waitMs(['root', 'ann'], 0)).toBe(1_000);
    expect(allowances.waitMs(['root', 'ann'], 600)).toBe(400);
    expect(allowances.waitMs(['root', 'ann'], 1_000)).toBe(0);
  });

  test('a caller who overdraws its allowance blocks no other caller of the same organization', () => {
    const allowances = one();
    allowances.use(['root', 'acme', 'ann'], 9_000, 0);
    expect(allowances.waitMs(['root', 'acme', 'ann'], 0)).toBeGreaterThan(0);
    expect(allowances.waitMs(['root', 'acme', 'bob'], 0)).toBe(0);
    expect(allowances.waitMs(['root', 'other', 'eve'], 0)).toBe(0);
  });

  test('an overdrawn allowance of an organization blocks callers who have used more than half of their allowance', () => {
    const allowances = one();
    for (let n = 0; n < 5; n += 1) allowances.use(['root', 'acme', `bot ${n}`], 600, 0);
    // Each caller has 400 left, but the organization has none.
    expect(allowances.waitMs(['root', 'acme', 'bot 1'], 0)).toBe(200);
    expect(allowances.waitMs(['root', 'acme', 'new'], 0)).toBe(0);
    expect(allowances.waitMs(['root', 'other', 'eve'], 0)).toBe(0);
  });

  test('an allowance is full again after a while', () => {
    const allowances = one();
    allowances.use(['ann'], 1_000, 0);
    allowances.use(['ann'], 1_000, 2_000);
    expect(allowances.waitMs(['ann'], 2_000)).toBe(0);
  });
});

describe('shared CPU time', () => {
  test('shared CPU time is divided among tasks that run at the same time', () => {
    const time = createSharedTime();
    const ends = [time.begin(0), time.begin(0), time.begin(0), time.begin(0)];
    expect(ends.map((end) => end(1_000))).toEqual([250, 250, 250, 250]);
  });

  test('shared CPU time is charged to the tasks that run at each moment', () => {
    const time = createSharedTime();
    const long = time.begin(0);
    const short = time.begin(100);
    expect(short(120)).toBe(10);
    expect(long(200)).toBe(190);
    const later = time.begin(1_000);
    expect(later(1_005)).toBe(5);
  });

  test('the shares of CPU time add up to the time during which at least one task runs', () => {
    const spans = fc.array(fc.record({ begins: fc.nat(1_000), lasts: fc.nat(1_000) }), { maxLength: 20 });
    const property = fc.property(spans, (tasks) => {
      const time = createSharedTime();
      const moments = tasks.flatMap(({ begins, lasts }, task) => [
        { at: begins, task, begins: true },
        { at: begins + lasts, task, begins: false },
      ]);
      const ends = new Map<number, (now: number) => number>();
      let [charged, busy, last] = [0, 0, 0];
      for (const { at, task, begins } of moments.sort((a, b) => a.at - b.at)) {
        if (ends.size > 0) busy += at - last;
        last = at;
        if (begins) ends.set(task, time.begin(at));
        else charged += ends.get(task)?.(at) ?? 0;
        if (!begins) ends.delete(task);
      }
      expect(charged).toBeCloseTo(busy, 5);
    });
    fc.assert(property);
  });
});
