import { expect, test } from 'vitest';
import { isBlank } from '../../domain/characters.ts';

test.each(['', ' ', '\n\t', '\u00a0', '\u200b', '\u00ad', '\u3164', '\u2800', '\u3000', '\ufeff \u2060'])(
  'isBlank is true for the text %j',
  (text) => {
    expect(isBlank(text)).toBe(true);
  },
);

test.each(['a', '0', ' . ', '\u200bx', '👩‍👩', 'é'])('isBlank is false for the text %j', (text) => {
  expect(isBlank(text)).toBe(false);
});
