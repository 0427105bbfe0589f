import { expect, test } from 'vitest';
import { ROUTES } from '../../api/routes.ts';
import { pathHint } from '../../api/middleware/answer-errors.ts';
import { commandHint } from '../../domain/effects/command.ts';
import { didYouMean, suggestionFor } from '../../domain/suggestion.ts';
import { jsonFault } from '../../domain/json-fault.ts';

test.each([
  ['txt', 'text'],
  ['stauts', 'status'],
  ['isBackChannel', 'isBackchannel'],
  ['is_backchannel', 'isBackchannel'],
  ['messsage', 'message'],
])('the suggestion for the word %s is %s', (word, meant) => {
  expect(suggestionFor(word, ['name', 'text', 'status', 'isBackchannel', 'message'])).toBe(meant);
});

test('a word that has no similar word, or is too short or too long, gets no suggestion', () => {
  expect(didYouMean('quantity', ['text', 'status'])).toBe('');
  expect(didYouMean('x', ['y'])).toBe('');
  expect(didYouMean('x'.repeat(100_000), ['x'.repeat(99_999)])).toBe('');
});

test('the suggestion for a word is found by edit distance, up to a maximum distance', () => {
  const other = (at: number) => Array.from({ length: 64 }, (_, i) => 'abcdefghij'[(i * at) % 10]).join('');
  const long = other(3);
  expect(suggestionFor(long.slice(1), [other(7), long])).toBe(long);
  expect(suggestionFor(`x${long.slice(2)}`, [long])).toBe(long);
  expect(suggestionFor(long.slice(4), [long])).toBeUndefined();
  expect(suggestionFor('sattus', ['status'])).toBe('status');
});

test('the hint for an unknown path is the probable path, or the address of the documentation', () => {
  expect(pathHint('/messages', ROUTES)).toBe('did you mean /v2/messages?');
  expect(pathHint('/v2/mesages', ROUTES)).toBe('did you mean /v2/messages?');
  expect(pathHint('/v2/conversation/5/messages', ROUTES)).toBe('did you mean /v2/conversations/5/messages?');
  expect(pathHint('/favicon.ico', ROUTES)).toBe('/docs lists the operations.');
});

test('the hint for an unknown command names known commands; known commands and commands to a bot get no hint', () => {
  expect(commandHint({ type: 'command', text: '/asign' })).toContain('Did you mean /assign?');
  expect(commandHint({ type: 'command', text: '/dance' })).toContain('Known are /set');
  for (const text of ['/set a b', '>dance', 'dance'])
    expect(commandHint({ type: 'command', text })).toBeUndefined();
  expect(commandHint({ type: 'chat', text: '/asign' })).toBeUndefined();
});

test.each([
  ['{"a":1,}', 1, 8],
  ['{\n  "a": 1\n  "b": 2\n}', 3, 3],
  ["{'a':1}", 1, 2],
  ['{a:1}', 1, 2],
  ['{"a":"b', 1, 6],
  ['[1,2', 1, 5],
  ['{"a":1}}', 1, 8],
  ['{"a":nul}', 1, 6],
  ['{"a":01}', 1, 6],
  ['', 1, 1],
  ['{"a" 1}', 1, 6],
  ['["a\nb"]', 1, 2],
])('the syntax error of %j is at line %d, column %d', (text, line, column) => {
  expect(() => JSON.parse(text) as unknown).toThrow();
  expect(jsonFault(text)).toMatchObject({ line, column });
});
