import { expect, test } from 'vitest';
import { cascade, highestScope, includesScope, lowerScope, toScope } from '../../domain/scope.ts';

test('each role of a user maps to a scope', () => {
  expect((['viewer', 'agent', 'bot', 'admin'] as const).map(toScope)).toEqual([
    'guest',
    'agent',
    'bot',
    'admin',
  ]);
});

test('every scope includes the scopes below it', () => {
  expect(cascade('guest')).toEqual(['guest']);
  expect(cascade('admin')).toEqual(['guest', 'agent', 'bot', 'admin']);
  expect(includesScope('bot', 'agent')).toBe(true);
  expect(includesScope('bot', 'bot')).toBe(true);
  expect(includesScope('agent', 'bot')).toBe(false);
});

test('lowerScope caps the scope of a token at the current scope of its user', () => {
  expect(lowerScope('admin', 'agent')).toBe('agent');
  expect(lowerScope('guest', 'agent')).toBe('guest');
});

test('highestScope returns the highest scope of a list and ignores unknown names', () => {
  expect(highestScope(['guest', 'bot', 'root', 'agent'])).toBe('bot');
  expect(highestScope(['root'])).toBeNull();
});
