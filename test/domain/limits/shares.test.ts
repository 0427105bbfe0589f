import { expect, test } from 'vitest';
import { hasFairShare, createUsage } from '../../../domain/limits/shares.ts';

test('floods leave room for a new organization at every level of the tree', () => {
  const all = createUsage();
  const fill = (line: string[]) => {
    let taken = 0;
    for (; hasFairShare(line, all, 64); taken += 1) all.add(line, 1);
    return taken;
  };
  const flooded = [1, 2, 3, 4, 5].map((at) => fill(['root', 'a', `a${at}`]));
  expect(flooded.reduce((one, other) => one + other)).toBe(32);
  expect(fill(['root', 'b', 'b1'])).toBe(16);
  expect(hasFairShare(['root', 'c'], all, 64)).toBe(true);
});

test('usage that is released is removed', () => {
  const all = createUsage();
  all.add(['root', 'a'], 1);
  all.add(['root', 'a'], -1);
  expect([all.of('root'), all.of('a')]).toEqual([0, 0]);
});
