import fc from 'fast-check';
import { expect, test } from 'vitest';
import { charactersIn } from '../../domain/characters.ts';

/** The API refuses a response whose size, as this function predicts it, exceeds a limit. */
test('charactersIn returns the length of any value as JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(charactersIn(value)).toBe(JSON.stringify(value).length);
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ['times', { at: new Date(0), list: [new Date(1)] }],
  ['missing values', { a: undefined, b: null, c: [undefined, NaN, -0], d: {}, e: [] }],
  ['characters that JSON escapes', ['"', '\\', '\n\r\t\b\f', '\u0001\u001f', '\u007f\u2028', '😀é']],
  ['lone surrogates', ['\ud83d', 'a\udc00b', '\ud83d\ude00\ud83d', { '\udfff': 1 }]],
])('charactersIn returns the JSON length of %s', (_, value) => {
  expect(charactersIn(value)).toBe(JSON.stringify(value).length);
});
