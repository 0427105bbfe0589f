import { describe, expect, test } from 'vitest';
import { lruMap } from '../../../platform/concurrency/lru-map.ts';

describe('an LRU map', () => {
  test('an LRU map evicts the least recently used entry, and peek does not count as a use', () => {
    const map = lruMap<string, number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.get('a');
    map.set('c', 3);
    expect(['a', 'b', 'c'].map(map.peek)).toEqual([1, undefined, 3]);
    map.peek('a');
    map.set('d', 4);
    expect(['a', 'c', 'd'].map(map.peek)).toEqual([undefined, 3, 4]);
  });

  test('an LRU map returns a value until it is deleted or the map is cleared', () => {
    const map = lruMap<string, number>(2);
    map.set('a', 1);
    map.set('a', 2);
    expect(map.get('a')).toBe(2);
    map.delete('a');
    expect(map.get('a')).toBeUndefined();
    map.set('b', 3);
    map.clear();
    expect(map.get('b')).toBeUndefined();
  });

  test('an LRU map evicts as many weighted entries as needed, including a new entry that alone exceeds the limit', () => {
    const map = lruMap<string, string>(5, ({ length }) => length);
    const left = () => ['a', 'b', 'c', 'd', 'e'].filter((key) => map.peek(key) !== undefined);
    map.set('a', 'xx');
    map.set('b', 'xx');
    map.set('b', 'x');
    map.set('c', 'xx');
    expect(left()).toEqual(['a', 'b', 'c']);
    map.set('d', 'xxxx');
    expect(left()).toEqual(['d']);
    map.set('e', 'xxxxxx');
    expect(left()).toEqual([]);
    map.set('a', 'xxxxx');
    expect(left()).toEqual(['a']);
  });
});
