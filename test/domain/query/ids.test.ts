import { describe, expect, test } from 'vitest';
import { parseListQuery } from '../../../domain/query/list-query.ts';
import { parseParameters } from '../../../domain/query/query-string.ts';
import type { Paths } from '../../../domain/query/paths.ts';

const paths: Paths = new Map([
  ['id', { kind: 'id', list: false }],
  ['contact', { kind: 'id', list: false }],
  ['name', { kind: 'text', list: false }],
  ['messages', { kind: 'id', list: true }],
  ['participants', { kind: 'object', list: true }],
  ['participants.user', { kind: 'id', list: false }],
]);
const ID = '0123456789abcdef01234567';
const read = (querystring: string) => parseListQuery(parseParameters(querystring), paths);

/** Spec 2.1. */
describe('a query on an id', () => {
  test.each([
    'id=nothing',
    'id=!=nothing',
    `id=[${ID},nothing]`,
    `id=![nothing,${ID}]`,
    `id=${ID.toUpperCase()}`,
    `id=${ID}0`,
    'contact=1',
    'messages=1',
    'participants.user=me',
    'participants.0.user=me',
    'participants={user=me}',
    'participants={user: [me]}',
  ])('a query on an invalid id is rejected, and the error names the parameter: %s', (querystring) => {
    const name = querystring.slice(0, querystring.indexOf('='));
    expect(() => read(querystring)).toThrow(
      expect.objectContaining({ code: 'invalid_request', message: expect.stringContaining(`${name}: `) }),
    );
  });

  test.each([
    `id=${ID}`,
    `id=[${ID}, ${ID}]`,
    `contact=!=${ID}`,
    'contact=',
    'contact=!',
    `participants={user=${ID}}`,
    // Ranges, patterns and searches in several fields may contain any text.
    'id=>0',
    'id=~^01',
    'name,id=ada',
  ])('a query on an id is accepted: %s', (querystring) => {
    expect(read(querystring).conditions).toHaveLength(1);
  });
});
