import { describe, expect, test } from 'vitest';
import { translateDerived } from '../../../domain/query/derived.ts';
import type { Derived } from '../../../domain/query/derived.ts';
import { parseListQuery } from '../../../domain/query/list-query.ts';
import { parseParameters } from '../../../domain/query/query-string.ts';
import type { Paths } from '../../../domain/query/paths.ts';

const paths: Paths = new Map([
  ['url', { kind: 'text', list: false }],
  ['slug', { kind: 'text', list: false }],
  ['messages', { kind: 'id', list: true }],
  ['meta', { kind: 'object', list: false }],
  ['meta.*', { kind: 'anything', list: false }],
]);
const url: Derived = {
  path: 'url',
  stored: 'slug',
  toStored: (value) => (String(value).startsWith('c/') ? String(value).slice(2) : undefined),
  alike: true,
};
const ID = '0123456789abcdef01234567';
const messages: Derived = {
  path: 'messages',
  stored: 'id',
  toStored: (value) => (value === ID ? 'its conversation' : undefined),
};
const read = (querystring: string, derived: Derived) =>
  translateDerived(parseListQuery(parseParameters(querystring), paths), derived);

/** Spec 9.3. */
describe('a query on a derived field', () => {
  test.each([
    ['url=c/x', [{ path: 'slug', is: 'one of', values: ['x'] }]],
    ['url=!=c/x', [{ path: 'slug', is: 'none of', values: ['x'] }]],
    ['url=[c/x,c/y]', [{ path: 'slug', is: 'one of', values: ['x', 'y'] }]],
    ['url=![c/x,d/y]', [{ path: 'slug', is: 'none of', values: ['x'] }]],
    ['url=d/x', [{ path: 'slug', is: 'one of', values: [] }]],
    ['url=', [{ path: 'slug', is: 'present' }]],
    ['url=!', [{ path: 'slug', is: 'absent' }]],
    ['slug=x', [{ path: 'slug', is: 'one of', values: ['x'] }]],
    ['meta.url=x', [{ path: 'meta.url', is: 'one of', values: ['x'] }]],
  ])(
    'a query on a derived field becomes a query on the stored field, and no other query changes: %s',
    (querystring, conditions) => {
      expect(read(querystring, url).conditions).toEqual(conditions);
    },
  );

  test('a query on a derived field of references becomes a query on the ids of the records that have these references', () => {
    const other = 'f'.repeat(24);
    expect(read(`messages=[${ID},${other}]`, messages).conditions).toEqual([
      { path: 'id', is: 'one of', values: ['its conversation'] },
    ]);
    expect(read(`messages,slug=${ID}`, messages).conditions[0]).toMatchObject({
      is: 'any',
      conditions: [{ path: 'id', is: 'one of', values: ['its conversation'] }, { path: 'slug' }],
    });
  });

  test.each([
    ['url=~x', url, 'url: '],
    ['url=>c/x', url, 'url: '],
    ['url,slug=x', url, 'url: '],
    ['messages=', messages, 'messages: '],
    ['messages=!', messages, 'messages: '],
    [`messages=>${ID}`, messages, 'messages: '],
    ['messages=~abc', messages, 'messages: '],
    [`messages.0=${ID}`, messages, 'messages.0: '],
    ['messages.1=', messages, 'messages.1: '],
    ['sort=messages', messages, 'sort: "messages"'],
    ['sort=slug,-messages.0', messages, 'sort: "messages.0"'],
  ])(
    'a query on a derived field is rejected if the stored field cannot express it: %s',
    (querystring, derived, words) => {
      expect(() => read(querystring, derived)).toThrow(
        expect.objectContaining({ code: 'invalid_request', message: expect.stringContaining(words) }),
      );
    },
  );

  test('a sort by a derived field becomes a sort by the stored field if both fields have the same order', () => {
    expect(read('sort=-url,meta.a', url).sort).toEqual([
      { path: 'slug', descending: true },
      { path: 'meta.a', descending: false },
    ]);
    expect(read('sort=url', messages).sort).toEqual([{ path: 'url', descending: false }]);
  });
});
