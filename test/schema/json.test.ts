import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keepsDigits } from '../../domain/json.ts';
import { MAX_VALUES } from '../../domain/json.ts';
import { parseEventJson, parseJson } from '../../schema/json.ts';

describe('parseJson', () => {
  test('parseJson returns the same as JSON.parse for the output of JSON.stringify', () => {
    const texts = fc.constantFrom('\\', '"', '\\"', '[[[[', '{{', ',,,,', ']', 'é', '');
    const values = fc.jsonValue({ stringUnit: fc.oneof(fc.string({ maxLength: 1 }), texts) });
    fc.assert(
      fc.property(values, (value) => {
        const text = JSON.stringify(value, null, 1);
        expect(parseJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  test('parseJson rejects every number that cannot be stored, in any notation', () => {
    const digits = fc.stringMatching(/^[1-9]\d{0,320}$/);
    const exponents = fc.stringMatching(/^([eE][+-]?\d{1,4})?$/);
    fc.assert(
      fc.property(digits, exponents, (number, exponent) => {
        const text = number + exponent;
        if (!Number.isFinite(Number(text))) expect(() => parseJson(text)).toThrow('is out of range');
        else if (keepsDigits(text)) expect(parseJson(text)).toBe(Number(text));
        else expect(() => parseJson(text)).toThrow('would lose digits');
      }),
    );
  });

  test('parseJson does not count commas and brackets within a text', () => {
    const text = '[{,"\\'.repeat(MAX_VALUES);
    expect(parseJson(JSON.stringify([text, text]))).toEqual([text, text]);
  });

  test.each([
    ['a list of 40,000 numbers', `[${'0,'.repeat(MAX_VALUES - 2)}0]`],
    ['a hundred levels of nesting', '['.repeat(100) + ']'.repeat(100)],
  ])('parseJson accepts %s', (_, text) => {
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  test.each([
    ['too many values', `[${'0,'.repeat(MAX_VALUES - 1)}0]`, 'body: must not hold more than 40,000 values'],
    ['too many levels without an end', '{"a":['.repeat(99) + '0,'.repeat(MAX_VALUES), 'body: must not nest'],
    ['too deep nesting', '['.repeat(101) + ']'.repeat(101), 'body: must not nest deeper than 100 levels'],
    ['a NUL character', '{"a":["x",{"b":"\\u0000"}]}', 'a.1.b: must not contain a NUL character'],
    ['a NUL character in a name', '{"a":{"\\u0000b":0}}', 'a.\0b: must not contain a NUL character'],
    ['half a surrogate pair', '["\\ud83d"]', '0: must be well-formed Unicode'],
    ['half a surrogate pair without an escape', '["\ud83d"]', '0: must be well-formed Unicode'],
    ['a number that is out of range', '{"a":-1e999}', 'a: is out of range'],
    ['a large exponent with a sign and zeros', '{"a":1.5E+0400}', 'a: is out of range'],
    ['a number of too many digits', `{"a":${'9'.repeat(310)}}`, 'a: is out of range'],
  ])('parseJson rejects %s', (_, text, message) => {
    expect(() => parseJson(text)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
    expect(() => parseJson(text)).toThrow(message);
  });

  test.each([
    ['{"id":9007199254740993}', 'id'],
    ['{"a":[{"meta":{"order": -820982911946154508}}]}', 'a.0.meta.order'],
    ['[1,9007199254740993.0]', '1'],
    ['[9007199254740993.5]', '0'],
    ['{"a":"\\"9007199254740993","b":9.007199254740993e15}', 'b'],
    ['18446744073709551616', 'body'],
  ])('parseJson rejects %s with the path, because the number would lose digits', (text, path) => {
    expect(() => parseJson(text)).toThrow(`${path}: is a number that would lose digits`);
  });

  test.each([
    ...['9007199254740991', '-9007199254740991', '9007199254740992', '1e23', '1.5e300', '-0', '1e2'],
    ...['0.1', '1.0', '4503599627370497.3', '0.12345678901234567891', '1e-400', '"9007199254740993"'],
    ...['{"a9007199254740993":"6e4f9007199254740993"}', '{"a":9007199254740993,"a":1}'],
  ])('parseJson keeps the value of %s', (text) => {
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  test.each(['', '{', '"a', '"a\\"', '{"a":1,}', '[1 2]', 'x'])(
    'parseJson rejects %j as invalid JSON',
    (text) => {
      expect(() => parseJson(text)).toThrow(expect.objectContaining({ code: 'invalid_json' }));
    },
  );
});

describe('parseEventJson', () => {
  test.each([
    ['{"id":820982911946154508}', { id: '820982911946154508' }],
    [
      '[-9007199254740993,9007199254740992, 9007199254740991]',
      ['-9007199254740993', '9007199254740992', 9007199254740991],
    ],
    [
      '{"a":{"b":[9.007199254740993e15,90071992547409930e-1]}}',
      { a: { b: ['9007199254740993', '9007199254740993'] } },
    ],
    ['[9007199254740993.0,90071992547409.935e2]', ['9007199254740993', '9007199254740993.5']],
    [`[${'9'.repeat(400)}]`, ['9'.repeat(400)]],
    ['[1e23,0.1,1.5,"9007199254740993"]', [1e23, 0.1, 1.5, '9007199254740993']],
    ['9007199254740993', '9007199254740993'],
  ])('parseEventJson keeps every digit of the whole numbers in %s', (text, value) => {
    expect(parseEventJson(text)).toEqual(value);
  });

  test('parseEventJson rejects a number that is out of range', () => {
    expect(() => parseEventJson('{"a":1e400}')).toThrow('a: is out of range');
  });
});
