import { ParlanceError } from '@parlance/client';
import { describe, expect, test } from 'vitest';
import { JsonFault } from '../../web/console/parts/json-fault.ts';
import { parseWrittenJson } from '../../web/console/parts/written-json.ts';
import { getDetails, findField, withField, describeProblem } from '../../web/console/parts/refusals.ts';

const FIELDS = ['name', 'params.url', 'params.events', 'meta', 'meta.widget.origins'];

/** Spec 12.3. */
describe('a refusal in a form of the console', () => {
  test.each<[path: string, field: string | undefined]>([
    ['name', 'name'],
    ['params.url', 'params.url'],
    ['params.events.2', 'params.events'],
    ['meta.widget.origins.0', 'meta.widget.origins'],
    ['meta.widget.colour', 'meta'],
    ['params', undefined],
    ['names', undefined],
    ['params.urls', undefined],
    ['', undefined],
  ])('a refusal in the console at the path %j belongs to the form field %j', (path, field) => {
    expect(findField(path, FIELDS)).toBe(field);
  });

  test.each<[path: string, message: string, field: string, words: string]>([
    ['name', 'must not be empty', 'name', 'Must not be empty.'],
    ['name', 'Another one has it.', 'name', 'Another one has it.'],
    ['params.events.2', 'is no pattern', 'params.events', 'Entry 3: is no pattern.'],
    ['meta.a.0.b', 'must be text', 'meta', 'A, entry 1, b: must be text.'],
    ['params', 'must be an object', 'name', ''],
  ])(
    'a refusal in the console at the path %j with the message %j is shown at the form field %j as %j',
    (path, message, field, words) => {
      expect(describeProblem(field, FIELDS, [{ path, message }])).toBe(words);
    },
  );

  test('the console shows all problems of a form field at this field, and at no other field', () => {
    const details = ['name', 'meta', 'name'].map((path, at) => ({ path, message: `fault ${at}` }));
    expect(describeProblem('name', FIELDS, details)).toBe('Fault 0. Fault 2.');
    expect(
      getDetails(new ParlanceError('It is wrong.', { status: 400, code: 'invalid_request', details })),
    ).toEqual(details);
  });

  test.each<[status: number, isAtField: boolean]>([
    [400, true],
    [409, true],
    [422, true],
    [401, false],
    [429, false],
    [503, false],
    [0, false],
  ])(
    'a refusal in the console with status %i and without a path is shown at the only field of the form: %j',
    (status, isAtField) => {
      const error = withField('text', new ParlanceError('It is wrong.', { status, code: '' }));
      expect(describeProblem('text', ['text'], getDetails(error))).toBe(isAtField ? 'It is wrong.' : '');
    },
  );

  test('a refusal of invalid JSON in the console belongs to the form field with the JSON text', () => {
    let fault: unknown;
    try {
      parseWrittenJson('{\n  "a": 1', 'Settings', 'settings');
    } catch (error) {
      fault = error;
    }
    expect(fault).toBeInstanceOf(JsonFault);
    expect((fault as Error).message).toBe('Settings: not valid JSON at line 2, column 9.');
    expect(describeProblem('settings', ['settings'], getDetails(fault as Error))).toBe(
      'Not valid JSON at line 2, column 9.',
    );
  });
});
