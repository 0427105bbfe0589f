import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evaluate } from '../../../application/expressions/process/engine.ts';
import { toFault } from '../../../application/expressions/process/fault.ts';
import { parseEventJson } from '../../../schema/json.ts';

const MAX = BigInt(Number.MAX_SAFE_INTEGER);

/** Evaluates the expression for a body as a sender writes it. */
async function result(text: string, sent = '{}'): Promise<unknown> {
  const body = JSON.stringify(parseEventJson(sent));
  const json = await evaluate(text, { body }, () => Promise.resolve(undefined));
  return json === undefined ? undefined : JSON.parse(json);
}

async function refusal(text: string, sent?: string): Promise<string> {
  return result(text, sent).then(
    (value) => `no fault: ${JSON.stringify(value)}`,
    (error: unknown) => {
      const { code, message, place = '' } = toFault(error, text);
      return `${code}: ${message} (${place})`;
    },
  );
}

/** Spec 8.12. */
describe('whole numbers in expressions', () => {
  test('an expression passes a whole number of any size on with all its digits', async () => {
    await fc.assert(
      fc.asyncProperty(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), async (number) => {
        const sent = `{"id": ${number}, "list": [${number}]}`;
        const passed = (await result(
          '{"id": id, "text": "" & id, "list": list.$string(), "copy": $}',
          sent,
        )) as any;
        expect(passed.text).toBe(String(number));
        expect(String(passed.id)).toBe(String(number));
        expect(BigInt(passed.copy.id)).toBe(number);
      }),
    );
  });

  const operand = fc.oneof(
    fc.bigInt({ min: -MAX, max: MAX }),
    fc.bigInt({ min: MAX - 10n, max: MAX }),
    fc.bigInt({ min: -50n, max: 50n }),
  );

  test('the sum, difference or product of whole numbers is exact, or a fault', async () => {
    const operator = fc.constantFrom('+', '-', '*');
    await fc.assert(
      fc.asyncProperty(operand, operator, operand, async (left, sign, right) => {
        const exact = { '+': left + right, '-': left - right, '*': left * right }[sign];
        const text = `(${left}) ${sign} (${right})`;
        const isSafe = exact >= -MAX && exact <= MAX;
        if (isSafe) expect(await result(`"" & (${text})`)).toBe(String(exact === 0n ? 0n : exact));
        else expect(await refusal(`"" & (${text})`)).toMatch(/^inexact: .*would lose digits/);
      }),
    );
  });

  test.each([
    ['$number(id)', /^inexact: .*keep it as a text.*in \$number, line 1, column 1/],
    ['id ~> $number', /^inexact: .*in \$number/],
    ['$map([id], $number)', /^inexact: .*in \$number/],
    ['[id].$number()', /^inexact/],
    ['"order-" & $number(id)', /^inexact/],
    ['$sum([9007199254740991, 2])', /^inexact: .*in \$sum/],
    ['$reduce([9007199254740991, 2], function($a, $b) { $a + $b })', /^inexact: .*at "\+"/],
    ['($f := function($n) { $n < 1e15 ? $f($n * 1000) : $n * 1000 }; $f(1))', /^inexact/],
    ['$power(2, 60)', /^inexact: .*in \$power/],
    ['$parseInteger(id, "0")', /^inexact/],
    ['$eval("9007199254740993")', /would lose digits/],
    ['$eval("{\\"id\\": [9007199254740993]}")', /would lose digits.*in \$eval/],
    ['$eval("9007199254740991 + 2")', /would lose digits/],
    ['id + 1', /^T2001: .*it is the text "820982911946154508"/],
    ['$sum([id])', /^T0412: /],
    ['1 / 0', /an infinite number/],
  ])('%s is a fault for a long id', async (text, expected) => {
    expect(await refusal(text, '{"id": 820982911946154508}')).toMatch(expected);
  });

  test.each<[string, unknown]>([
    ['$number("12.5") + 1', 13.5],
    ['$number("9007199254740991")', 9007199254740991],
    ['9007199254740990 + 1', 9007199254740991],
    ['$parseJson("{\\"id\\": [9007199254740993, 1]}")', { id: ['9007199254740993', 1] }],
    ['$eval("[1, 2].($ + 1)")', [2, 3]],
    ['$eval("1 +") ', 'fault'],
    ['big', 1e20],
    ['$number(missing)', undefined],
    ['$formatMoney(id, "EUR", "nl")', '€ 820.982.911.946.154.508,00'],
  ])('%s gives %j', async (text, expected) => {
    const sent = '{"id": 820982911946154508, "big": 1e20}';
    const given = await result(text, sent).catch(() => 'fault');
    expect(typeof given === 'string' ? given.replace(/[\u00a0\u202f]/g, ' ') : given).toEqual(expected);
  });

  test('an expression cannot change $number or $eval for the next expression', async () => {
    await result('$number ~> |$|{"a": 1}|').catch(() => undefined);
    expect(await result('$number("1")')).toBe(1);
  });

  test.each([
    '12345678901234567890.0',
    '[1, 9007199254740993.5]',
    '$parseInteger("9007199254740993", "0")',
    '$number("9007199254740993")',
    '["9007199254740993"].$parseInteger("0")',
    '$map(["9007199254740993"], function($id) { $parseInteger($id, "0") })',
    '$eval("9007199254740993.0")',
  ])('the expression %s is a fault, because its number would lose digits', async (text) => {
    expect(await refusal(`"order-" & ${text}`)).toMatch(/would lose digits/);
  });

  test.each(['12.0', '9007199254740991.0', '0.12345678901234567890'])(
    'the number %s is a number',
    async (text) => {
      expect(await result(text)).toBe(Number(text));
    },
  );
});
