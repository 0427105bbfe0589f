import { describe, expect, test } from 'vitest';
import { createFairQueue } from '../../../application/expressions/fair-queue.ts';

const line = (item: string) => ['root', item.slice(0, 1)];

describe('the fair queue', () => {
  test('serves organizations in turn', () => {
    const queue = createFairQueue<string>(100);
    for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) queue.add(line(item), item);
    const order = Array.from({ length: 7 }, () => queue.next(() => true));
    expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3', undefined]);
  });

  test('gives an organization with many children no more turns than one without', () => {
    const queue = createFairQueue<string>(100);
    for (const child of ['1', '2', '3', '4']) queue.add(['root', 'a', `a${child}`], `a${child}`);
    queue.add(['root', 'b'], 'b1');
    queue.add(['root', 'b'], 'b2');
    const order = Array.from({ length: 6 }, () => queue.next(() => true));
    expect(order).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'a4']);
  });

  test('puts a returning organization behind the waiting ones', () => {
    const queue = createFairQueue<string>(100);
    for (const item of ['a1', 'b1', 'b2']) queue.add(line(item), item);
    expect(queue.next(() => true)).toBe('a1');
    queue.add(line('a2'), 'a2');
    expect([queue.next(() => true), queue.next(() => true)]).toEqual(['b1', 'a2']);
  });

  test('skips organizations that are not allowed and forgets removed items', () => {
    const queue = createFairQueue<string>(100);
    for (const item of ['a1', 'b1', 'b2']) queue.add(line(item), item);
    queue.remove(line('b1'), 'b1');
    expect(queue.next(([, organization]) => organization !== 'a')).toBe('b2');
    expect(queue.next(([, organization]) => organization !== 'a')).toBeUndefined();
    expect(queue.waiting('root')).toBe(1);
    expect(queue.next(() => true)).toBe('a1');
    expect(queue.waiting('root')).toBe(0);
  });

  test('reserves room for others: each organization may fill half of the free room', () => {
    const queue = createFairQueue<string>(8);
    const taken = (name: string) => {
      let items = 0;
      while (queue.add(['root', name, `${name} ${items}`], name)) items += 1;
      return items;
    };
    expect(['a', 'b', 'c', 'd'].map(taken)).toEqual([4, 2, 1, 1]);
  });
});
