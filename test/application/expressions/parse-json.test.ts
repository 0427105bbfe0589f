import { describe, expect, test } from 'vitest';
import { evaluate } from '../../../application/expressions/process/engine.ts';
import { toFault } from '../../../application/expressions/process/fault.ts';

async function result(expression: string, payload: unknown): Promise<unknown> {
  const findRecord = () => Promise.reject(new Error('A lookup ran.'));
  const json = await evaluate(expression, { body: JSON.stringify({ payload }) }, findRecord);
  return json === undefined ? undefined : JSON.parse(json);
}

const refusal = (payload: unknown) =>
  result('$parseJson(payload)', payload).then(
    () => 'no fault',
    (error: unknown) => toFault(error, '$parseJson(payload)').message,
  );

/** Spec 8.10. */
describe('the function $parseJson', () => {
  test.each<[string, unknown]>([
    ['{"title": "Mend the bell", "labels": ["a"]}', { title: 'Mend the bell', labels: ['a'] }],
    [' [1, 2.5, null, true] ', [1, 2.5, null, true]],
    ['{"id": 9007199254740993}', { id: '9007199254740993' }],
    ['"text"', 'text'],
    ['{"a": {"constructor": 1}}', { a: { constructor: 1 } }],
  ])('$parseJson reads %s as data', async (payload, expected) => {
    expect(await result('$parseJson(payload)', payload)).toEqual(expected);
  });

  test.each([
    '{"title": $contact({"profile.email": "secret@example.com"}).profile}',
    '{"title": $conversation({"status": "queued"}).url}',
    '1 + 1',
    "{'title': 'x'}",
    '{"title": "x"} /* x */',
    '',
  ])('$parseJson refuses %j, which is not JSON, and runs nothing', async (payload) => {
    expect(await refusal(payload)).toMatch(/^The text is not JSON: at its line 1, column \d+, /);
  });

  test('$parseJson refuses other values than texts, and texts with too many levels or values', async () => {
    expect(await refusal({ a: 1 })).toBe('Only a text can be parsed.');
    for (const text of ['['.repeat(500_000), `[${'1,'.repeat(100_000)}1]`])
      expect(await refusal(text)).toBe('The text has too many levels or values.');
  });

  test('$parseJson gives nothing for a missing value', async () => {
    expect(await result('{"title": $parseJson(missing)}', '')).toEqual({});
  });

  test('$parseJson writes a place into its faults', async () => {
    const expression = 'payload ~> $parseJson';
    const fault = await result(expression, 'no').catch((error: unknown) => toFault(error, expression));
    expect(fault).toMatchObject({ place: expect.stringContaining('in $parseJson, line 1') });
  });
});
