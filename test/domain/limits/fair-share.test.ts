import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FairQueue, hasFairShare, TenantUsage } from '../../../domain/limits/fair-share.ts';

/** Takes shares until no further share is granted. Returns the number of shares. */
function fill(usage: TenantUsage, path: string[], max: number): number {
  let taken = 0;
  for (; hasFairShare(path, usage, max); taken += 1) usage.add(path, 1);
  return taken;
}

describe('a fair share', () => {
  test('a fair share leaves capacity for a new organization at every level of the tree', () => {
    const all = new TenantUsage();
    const flooded = [1, 2, 3, 4, 5].map((at) => fill(all, ['root', 'a', `a${at}`], 64));
    expect(flooded.reduce((one, other) => one + other)).toBe(32);
    expect(fill(all, ['root', 'b', 'b1'], 64)).toBe(16);
    expect(hasFairShare(['root', 'c'], all, 64)).toBe(true);
  });

  test('a fair share of an organization is half of the capacity that is still free, rounded up', () => {
    const all = new TenantUsage();
    expect(['a', 'b', 'c', 'd'].map((name) => fill(all, ['root', name], 8))).toEqual([4, 2, 1, 1]);
  });
});

test('tenant usage that is released no longer counts', () => {
  const all = new TenantUsage();
  all.add(['root', 'a'], 1);
  expect([all.total, all.of('root'), all.atEnd(['root', 'a'])]).toEqual([1, 1, 1]);
  all.add(['root', 'a'], -1);
  expect([all.total, all.of('root'), all.atEnd(['root', 'a'])]).toEqual([0, 0, 0]);
});

interface Item {
  path: string[];
  name: string;
}

/**
 * Creates a queue of items. The characters of a name before the last character are the ids in the
 * path of the item, below the root.
 */
function queueOf(...names: string[]) {
  const queue = new FairQueue<Item>();
  const items = new Map(
    names.map((name) => [name, { name, path: ['root', ...name.slice(0, -1).split('')] }]),
  );
  for (const item of items.values()) queue.add(item);
  return { queue, items, next: (may: (item: Item) => boolean = () => true) => queue.next(may)?.name };
}

describe('the fair queue', () => {
  test('the fair queue serves organizations in turn', () => {
    const { next } = queueOf('a1', 'a2', 'a3', 'b1', 'c1', 'c2');
    expect(Array.from({ length: 7 }, () => next())).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3', undefined]);
  });

  test('the fair queue gives an organization with many children as many turns as an organization without children', () => {
    const { next } = queueOf('aw1', 'ax2', 'ay3', 'az4', 'b1', 'b2');
    expect(Array.from({ length: 6 }, () => next())).toEqual(['aw1', 'b1', 'ax2', 'b2', 'ay3', 'az4']);
  });

  test('the fair queue serves an organization in turn with its descendants', () => {
    const { next } = queueOf('a1', 'a2', 'a3', 'ax4', 'ax5');
    expect(Array.from({ length: 5 }, () => next())).toEqual(['a1', 'ax4', 'a2', 'ax5', 'a3']);
  });

  test('the fair queue puts an organization that returns behind the organizations that wait', () => {
    const { queue, next } = queueOf('a1', 'b1', 'b2');
    expect(next()).toBe('a1');
    queue.add({ name: 'a2', path: ['root', 'a'] });
    expect([next(), next()]).toEqual(['b1', 'a2']);
  });

  test('the fair queue skips items that may not start, and does not serve removed items', () => {
    const { queue, items, next } = queueOf('a1', 'b1', 'b2');
    const isOther = ({ path }: Item) => path[1] !== 'a';
    expect([queue.remove(items.get('b1')!), queue.remove(items.get('b1')!)]).toEqual([true, false]);
    expect([next(isOther), next(isOther)]).toEqual(['b2', undefined]);
    expect(queue.waiting.total).toBe(1);
    expect(next()).toBe('a1');
    expect(queue.waiting.total).toBe(0);
  });

  test('with n branches, the fair queue serves every branch that still has items at least once in any n turns', () => {
    const path = fc.array(fc.constantFrom('x', 'y', 'z'), { maxLength: 3 });
    const property = fc.property(fc.array(path, { minLength: 1, maxLength: 60 }), (paths) => {
      const queue = new FairQueue<{ path: string[] }>();
      for (const at of paths) queue.add({ path: ['root', ...at.map((node, level) => `${level}${node}`)] });
      const order = paths.map(() =>
        queue
          .next(() => true)!
          .path.slice(0, 2)
          .join(' '),
      );
      expect(queue.next(() => true)).toBeUndefined();
      const branches = [...new Set(order)];
      for (const branch of branches) {
        const turns = order.flatMap((one, at) => (one === branch ? [at] : []));
        turns.reduce((before, at) => (expect(at - before).toBeLessThanOrEqual(branches.length), at), -1);
      }
    });
    fc.assert(property);
  });
});
