import { describe, expect, test } from 'vitest';
import { bodyText, parseWrittenJson } from '../../web/console/parts/written-json.ts';
import { KINDS, buildBody } from '../../web/console/records/kinds.ts';

const ORGANIZATIONS = KINDS[0];

describe('JSON written in the console', () => {
  test.each([
    '9007199254740993',
    '-9007199254740993',
    '12345678901234567890123',
    '{ "id": 9007199254740993, "ids": [18446744073709551615] }',
    '[1.0, 1e3, 0.1000]',
    '"a text with 9007199254740993"',
    '{\n  "line": "two"\n}',
    '{"twice": 1, "twice": 2}',
    'true',
  ])('JSON written in the console is sent unchanged: %s', (text) => {
    const body = bodyText({ jsonata: 'a "text"', body: parseWrittenJson(text, 'Event'), none: undefined });
    expect(body).toBe(`{"jsonata":"a \\"text\\"","body":${text}}`);
  });

  test.each<[unknown, string]>([
    [{}, '{}'],
    [{ a: null, b: undefined, c: [1, { d: 'x' }] }, '{"a":null,"c":[1,{"d":"x"}]}'],
    [['a'], '["a"]'],
    ['text', '"text"'],
    [null, 'null'],
  ])(
    'bodies without JSON written in the console are sent as JSON.stringify writes them: %j',
    (body, text) => {
      expect(bodyText(body)).toBe(text);
    },
  );

  test.each(['', '{', '{"a": }', 'undefined', "{'a': 1}", '1, "other": 2', '1} '])(
    'JSON written in the console is rejected if invalid: %j',
    (text) => {
      expect(() => parseWrittenJson(text, 'Event')).toThrow(
        /^Event: not valid JSON at line \d+, column \d+\.$/,
      );
    },
  );

  test('a record form keeps the digits of large numbers in JSON settings', () => {
    const values = {
      name: 'Shop',
      settings: '{"id": 9007199254740993}',
      meta: ' ',
      categories: '[{"name":"Sales"}]',
    };
    const body = buildBody(ORGANIZATIONS, values, { meta: '{}', categories: '[]' });
    expect(bodyText(body)).toBe(
      '{"name":"Shop","categories":[{"name":"Sales"}],"settings":{"id": 9007199254740993},"meta":null}',
    );
  });
});
