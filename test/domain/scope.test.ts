import { expect, test } from 'vitest';
import { cascade, highestScope, includesScope, lowerScope, toScope } from '../../domain/scope.ts';

test('each role of a user has its scope', () => {
  expect((['viewer', 'agent', 'bot', 'admin'] as const).map(toScope)).toEqual([
    'guest',
    'agent',
    'bot',
    'admin',
  ]);
});

test('every scope includes those below it', () => {
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

test('a list of scopes counts as the highest, and unknown names are ignored', () => {
  expect(highestScope(['guest', 'bot', 'root', 'agent'])).toBe('bot');
  expect(highestScope(['root'])).toBeNull();
});
