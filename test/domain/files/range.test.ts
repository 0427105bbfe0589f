import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseRange } from '../../../domain/files/range.ts';

const sizes = fc.integer({ min: 1, max: 1_000 });
const positions = fc.integer({ min: 0, max: 2_000 });

test('a byte range selects the bytes that slicing the body would', () => {
  fc.assert(
    fc.property(sizes, positions, fc.option(positions), (bytes, first, last) => {
      const body = Array.from({ length: bytes }, (_, at) => at);
      const range = parseRange(`bytes=${first}-${last ?? ''}`, bytes);
      if (last !== null && last < first) expect(range).toBeUndefined();
      else if (first >= bytes) expect(range).toBe('unsatisfiable');
      else {
        const sliced = body.slice(first, (last ?? bytes) + 1);
        expect(range).toEqual({ first: sliced[0], last: sliced.at(-1) });
      }
    }),
  );
});

test('a suffix range selects the last bytes of the body', () => {
  fc.assert(
    fc.property(sizes, positions, (bytes, length) => {
      const range = parseRange(`bytes=-${length}`, bytes);
      if (length === 0) expect(range).toBe('unsatisfiable');
      else expect(range).toEqual({ first: Math.max(0, bytes - length), last: bytes - 1 });
    }),
  );
});

test('any text as a range selects bytes within the body, or the whole body', () => {
  const odd = fc.oneof(fc.string(), fc.stringMatching(/^bytes=[\d, -]{0,20}$/));
  fc.assert(
    fc.property(odd, sizes, (header, bytes) => {
      const range = parseRange(header, bytes);
      if (typeof range !== 'object') return;
      expect(0 <= range.first && range.first <= range.last && range.last < bytes).toBe(true);
    }),
  );
});

test.each(['', 'bytes=0-1,3-4', 'lines=1-2', 'bytes=-', 'bytes=3-1', 'bytes=a-b'])(
  'range "%s" selects the whole body',
  (header) => {
    expect(parseRange(header, 10)).toBeUndefined();
  },
);
