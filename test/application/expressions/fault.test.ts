import { describe, expect, test } from 'vitest';
import { checkExpression, evaluate } from '../../../application/expressions/process/engine.ts';
import { toFault } from '../../../application/expressions/process/fault.ts';

const BODY = { a: ['x'], x: { y: {} } };

async function refusalOf(text: string): Promise<string> {
  try {
    await evaluate(text, { body: JSON.stringify(BODY) }, () => Promise.resolve(undefined));
  } catch (error) {
    const { message, place } = toFault(error, text);
    return place === undefined ? message : `${message} (${place})`;
  }
  throw new Error(`no fault in ${text}`);
}

/** Spec 8.1: an error names the problem, the function or token, and the position. */
describe('the error of an expression', () => {
  const faults: [string, string, string][] = [
    [
      'ends too early',
      '{"a": ',
      'Expected "}" before end of expression (at the end, line 1, column 7, character 6)',
    ],
    [
      'holds a number that would lose digits',
      '{"id": -9007199254740993}',
      'The number 9007199254740993 would lose digits: write it as a text, "9007199254740993". (at "9007199254740993", line 1, column 9, character 24)',
    ],
    ['has one character too many', 'a.b )', 'Syntax error: ")" (at ")", line 1, column 5, character 5)'],
    [
      'lacks a comma in the second line',
      '{"a": 1\n "b": 2}',
      'Expected "}", got "b" (at "b", line 2, column 4, character 12)',
    ],
    [
      'gives a function an object in the second line',
      '{\n "a": $number(x.y)\n}',
      'Argument 1 of the function $number does not fit: it is an object. (in $number, line 2, column 7, character 16)',
    ],
    [
      'gives an invalid time',
      '$toMillis("nope")',
      'The argument of the toMillis function must be an ISO 8601 formatted timestamp. Given "nope" (in $toMillis, line 1, column 1, character 10)',
    ],
    [
      'adds a value that is not a number',
      '{\n"x": a + 1}',
      'The left side of the "+" operator must evaluate to a number; it is a list that begins with the text "x". (at "+", line 2, column 8, character 10)',
    ],
    [
      'applies functions one after another to an invalid time',
      '"nope"\n ~> $uppercase\n ~> $toMillis',
      'The argument of the toMillis function must be an ISO 8601 formatted timestamp. Given "NOPE" (in $toMillis, line 3, column 5, character 35)',
    ],
    [
      'has a regular expression that looks ahead',
      '\n$match("a", /a(?=b)/)',
      'The regular expression /a(?=b)/ is not RE2 syntax: error parsing regexp: invalid or unsupported Perl syntax: `(?=` (at "/a(?=b)/", line 2, column 13, character 21)',
    ],
    [
      'calls a missing function',
      '$nosuch(1)',
      'There is no function $nosuch. (in $nosuch, line 1, column 1, character 8)',
    ],
    [
      'calls a function within another function',
      '$map([1,2], function($v){ $uppercase($v) })',
      'Argument 1 of the function $uppercase does not fit: it is the number 1. (in $uppercase, line 1, column 27, character 36)',
    ],
    ['throws its own error', '\n$error("no order")', 'no order (in $error, line 2, column 1, character 8)'],
    [
      'sums texts in the third line',
      '\n\n  $sum("x") ',
      'Argument 1 of function "sum" must be an array of "numbers"; it is the text "x". (in $sum, line 3, column 3, character 9)',
    ],
  ];

  const results: [string, string][] = [
    [
      '{"messages": $split("a😀", "")}',
      'texts must be well-formed Unicode, and $split by "" cuts characters in two, at result.messages.1. (in $split, line 1, column 14, character 19)',
    ],
    ['{"a": [1, {"b": $sum}]}', 'a function is not JSON, at result.a.1.b.'],
    ['{"a": 1/0}', 'an infinite number is not JSON, at result.a.'],
  ];

  test.each(results)(
    'the error of an expression names the part of the result of %s that cannot be used',
    async (text, said) => {
      await expect(refusalOf(text)).resolves.toBe(`The result cannot be used: ${said}`);
    },
  );

  test.each(faults)(
    'the error of an expression that %s names the problem and the position',
    async (_, text, said) => {
      expect(await refusalOf(text)).toBe(said);
    },
  );

  test('the error of an expression is generic for unknown errors and has a bounded length', () => {
    expect(toFault(undefined, 'a')).toEqual({ code: 'evaluation', message: 'The expression failed.' });
    expect(toFault(new Error('x'.repeat(5_000)), 'a').message).toHaveLength(1_000);
  });
});

/** Spec 8.1. */
describe('the check of an expression', () => {
  test('the check refuses a mistyped function, also in a branch that would not run', () => {
    const text = 'a ? {\n "text": $uppper(a) }';
    const check = () => {
      try {
        checkExpression(text);
      } catch (error) {
        return toFault(error, text);
      }
      return undefined;
    };
    expect(check()).toMatchObject({
      message: 'There is no function $uppper.',
      place: 'in $uppper, line 2, column 10, character 23',
    });
  });

  test.each([
    '($f := function($x, $g) { $g($x) }; $f(1, $string))',
    'a@$b#$i.$b($i)',
    '$substring(?, 1)',
    'a ~> $trim()',
    '[$now(), $millis(), $eval("1"), $parseJson("1"), $formatDate(1), $formatMoney(1), $contact({})]',
    'a ~> |$|{"b": $uppercase(c)}|',
  ])('the check accepts variables and every function of the product: %s', (text) => {
    expect(() => checkExpression(text)).not.toThrow();
  });
});
