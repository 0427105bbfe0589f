import { expect, test } from 'vitest';
import { parseValues } from '../../../domain/query/values.ts';

const piece = (text: string) => ({ name: 'meta.order', text, at: 0 });

test.each([
  ['1234567890123456', 1234567890123456],
  ['9007199254740991', 9007199254740991],
  ['-9007199254740991', -9007199254740991],
  ['0.30000000000000004', 0.30000000000000004],
])('a filter by %s matches the number and the text', (text, number) => {
  expect(parseValues(piece(text), 'anything')).toEqual([text, number]);
});

test('a filter by a number that would lose digits matches only the text', () => {
  expect(parseValues(piece('9007199254740993'), 'anything')).toEqual(['9007199254740993']);
  expect(() => parseValues(piece('9007199254740993'), 'number')).toThrow('at most 9007199254740991');
});
