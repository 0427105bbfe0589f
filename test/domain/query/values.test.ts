import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseCondition } from '../../../domain/query/condition.ts';
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

test.each(['01234', '0687654321', '-01', '00', '1e5', '0x10', 'null', '1.', '.5', '+1', '1 000', '１２'])(
  'a filter by the code %s matches only the text',
  (text) => {
    expect(parseValues(piece(text), 'anything')).toEqual([text]);
  },
);

test('a filter by a telephone number whose plus sign is not encoded finds the number', () => {
  expect(parseValues(piece(' 31612345678'), 'anything')).toEqual([' 31612345678', '+31612345678']);
});

test('a filter by any text matches that text, and a number only if the text is that number', () => {
  const digits = fc.stringMatching(/^-?[0-9]{1,20}([.e][0-9]{1,5})?$/);
  const conforming = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1 }),
    digits,
    fc.constantFrom('true', 'false'),
  );
  fc.assert(
    fc.property(conforming, fc.constantFrom('anything', 'text'), (text, kind) => {
      const [first, ...others] = parseValues(piece(text), kind);
      expect(first).toBe(text);
      for (const other of others) if (!text.startsWith(' ')) expect(JSON.parse(text)).toBe(other);
    }),
  );
});

test('a list of one finds any text without a comma, also one that begins with an operator', () => {
  const paths = new Map([['name', { kind: 'text' }]]) as never;
  const texts = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !text.includes(','));
  fc.assert(
    fc.property(texts, (text) => {
      expect(parseCondition({ name: 'name', text: `[${text}]`, at: 0 }, paths)).toMatchObject({
        values: [text],
      });
    }),
  );
});
