import { expect, test } from 'vitest';
import { cascade, highestScope, includesScope, lowerScope, scopeOf } from '../../domain/scope.ts';

test('gives each role its scope', () => {
  expect((['viewer', 'agent', 'bot', 'admin'] as const).map(scopeOf)).toEqual([
    'guest',
    'agent',
    'bot',
    'admin',
  ]);
});

test('lets every scope include those below it', () => {
  expect(cascade('guest')).toEqual(['guest']);
  expect(cascade('admin')).toEqual(['guest', 'agent', 'bot', 'admin']);
  expect(includesScope('bot', 'agent')).toBe(true);
  expect(includesScope('bot', 'bot')).toBe(true);
  expect(includesScope('agent', 'bot')).toBe(false);
});

test('caps a token at what its user may do now', () => {
  expect(lowerScope('admin', 'agent')).toBe('agent');
  expect(lowerScope('guest', 'agent')).toBe('guest');
});

test('takes the highest scope of a list and ignores names that are none', () => {
  expect(highestScope(['guest', 'bot', 'root', 'agent'])).toBe('bot');
  expect(highestScope(['root'])).toBeNull();
});
