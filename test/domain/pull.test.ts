import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_PULLED_PER_LANE, chooseLanes } from '../../domain/delivery/pull.ts';

const rows = fc.array(
  fc.constantFrom<string>('a', 'b', 'c', 'd').map((lane) => ({ lane })),
  { maxLength: 200 },
);
const lanes = fc.uniqueArray(fc.constantFrom<string>('a', 'b', 'c', 'd')).map((some) => new Set(some));

test('a pull takes as many events as wait in free lanes, up to its limit and the limit of a lane', () => {
  fc.assert(
    fc.property(rows, lanes, fc.integer({ min: 1, max: 150 }), (waiting, inFlight, limit) => {
      const chosen = chooseLanes(waiting, { inFlight, limit });
      const free = ['a', 'b', 'c', 'd'].filter((lane) => !inFlight.has(lane));
      const possible = free.map((one) =>
        Math.min(MAX_PULLED_PER_LANE, waiting.filter(({ lane }) => lane === one).length),
      );
      const total = [...chosen.values()].reduce((sum, count) => sum + count, 0);
      expect(total).toBe(
        Math.min(
          limit,
          possible.reduce((sum, count) => sum + count, 0),
        ),
      );
      expect([...chosen.keys()].some((lane) => inFlight.has(lane))).toBe(false);
      expect(Math.max(0, ...chosen.values())).toBeLessThanOrEqual(MAX_PULLED_PER_LANE);
    }),
  );
});

test('a pull prefers the lanes whose events have waited longest', () => {
  const waiting = ['b', 'a', 'a', 'c'].map((lane) => ({ lane }));
  expect([...chooseLanes(waiting, { inFlight: new Set(['b']), limit: 2 })]).toEqual([['a', 2]]);
  expect([...chooseLanes(waiting, { inFlight: new Set<string>(), limit: 2 }).keys()]).toEqual(['b', 'a']);
});
