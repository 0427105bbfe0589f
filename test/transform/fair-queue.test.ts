import { describe, expect, it } from 'vitest';
import { fairQueue } from '../../transform/fair-queue.ts';

describe('the queue', () => {
  it('lets organizations take turns', () => {
    const queue = fairQueue<string>({ mostOfOne: 10, most: 100 });
    for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) queue.add(item.slice(0, 1), item);
    const order = Array.from({ length: 7 }, () => queue.next(() => true));
    expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3', undefined]);
  });

  it('passes over who may not have a turn, and forgets who waits no longer', () => {
    const queue = fairQueue<string>({ mostOfOne: 10, most: 100 });
    for (const item of ['a1', 'b1', 'b2']) queue.add(item.slice(0, 1), item);
    queue.remove('b', 'b1');
    expect(queue.next((organization) => organization !== 'a')).toBe('b2');
    expect(queue.next((organization) => organization !== 'a')).toBeUndefined();
    expect(queue.takeAll()).toEqual(['a1']);
  });

  it('has room for so many of one, and so many in all', () => {
    const queue = fairQueue<string>({ mostOfOne: 2, most: 3 });
    expect(['a1', 'a2', 'a3'].map((item) => queue.add('a', item))).toEqual([true, true, false]);
    expect(['b1', 'b2'].map((item) => queue.add('b', item))).toEqual([true, false]);
  });
});
