import { expect, test } from 'vitest';
import { collectLookups } from '../../domain/query/lookups.ts';

test.each([
  ['command', '/set category Sales', undefined, { categories: true }],
  ['command', '/set categoryIndex 1', undefined, { categories: true }],
  ['command', '/set plan pro', undefined, {}],
  ['command', '/assign', { users: ['u1'] }, { assignees: ['u1'] }],
  ['command', '/notify', undefined, { channels: 'all' }],
  ['command', '/notify', { channels: ['c1'] }, { channels: ['c1'] }],
  ['command', '/accept', undefined, {}],
  ['command', '>bot hello', undefined, {}],
  ['field', '.telephone +31 6 1', undefined, { contact: { field: 'telephone', value: '+31 6 1' } }],
  ['field', '.telephone', undefined, {}],
  ['field', '.plan pro', undefined, {}],
  ['field', '.email a@b.c', { form: 'f1' }, { form: 'f1' }],
  ['form', '+Order', undefined, { form: 'Order', categories: true }],
  ['form', '-Order', { form: 'f1' }, { form: 'f1', categories: true }],
  ['mention', '@grace look', { targetUser: 'u1', targetBot: ['b1'] }, { assignees: ['u1', 'b1'] }],
  ['mention', '@nobody look', undefined, {}],
  ['chat', '/set category Sales', undefined, {}],
] as const)('the lookups of a %s message %s with meta %j are %j', (type, text, meta, lookups) => {
  expect(collectLookups({ type, text, ...(meta ? { meta } : {}) })).toEqual(lookups);
});

test.each([
  ['command', '/assign'],
  ['command', 'hello'],
  ['field', 'hello'],
  ['form', 'hello'],
  ['field', '.name \u200b'],
  ['field', '.address.city \u00ad'],
  ['command', '/set name \u2800'],
  ['command', '/set @category \u3164'],
  ['command', '/set language \u202e\u202c'],
] as const)('a malformed %s message, %s, is rejected before any lookup', (type, text) => {
  expect(() => collectLookups({ type, text })).toThrow(expect.objectContaining({ code: 'unprocessable' }));
});
