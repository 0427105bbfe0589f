import { describe, expect, test } from 'vitest';
import { lruSet } from '../../temporal/lru-set.ts';

describe('a memory of what was seen last', () => {
  test('knows what was seen until it is forgotten', () => {
    const seen = lruSet(2);
    seen.see('a');
    expect(seen.has('a')).toBe(true);
    seen.forget('a');
    expect(seen.has('a')).toBe(false);
  });

  test('lets go of what was not seen for longest', () => {
    const seen = lruSet(2);
    for (const key of ['a', 'b', 'a', 'c']) seen.see(key);
    expect(['a', 'b', 'c'].filter((key) => seen.has(key))).toEqual(['a', 'c']);
  });
});
