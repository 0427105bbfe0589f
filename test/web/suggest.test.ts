import { expect, test } from 'vitest';
import {
  applySuggestion,
  findMentioned,
  findTrigger,
  matchAnswers,
  matchPeople,
} from '../../web/console/inbox/suggest.ts';

const answers = [
  { id: '1', title: 'Opening hours', content: 'We open at nine.', tags: ['shop'] },
  { id: '2', title: 'Returns', content: 'Within 30 days, also during opening hours.' },
  { id: '3', title: 'Empty', content: '' },
];

test.each([
  ['/', false, { sign: '/', word: '' }],
  ['/open', true, { sign: '/', word: 'open' }],
  ['/close', false, undefined],
  ['see /open', false, undefined],
  ['/open\nx', false, undefined],
  ['ask @Bru', true, { sign: '@', word: 'Bru' }],
  ['@', true, { sign: '@', word: '' }],
  ['ask @Bru', false, undefined],
  ['ada@example', true, undefined],
] as const)('the text %j, note %j, triggers %j', (text, isNote, trigger) => {
  expect(findTrigger(text, isNote)).toEqual(trigger);
});

test('knowledge items whose title begins with the word come first, and items without content are left out', () => {
  const find = (word: string) => matchAnswers(answers, word).map(({ title }) => title);
  expect(find('open')).toEqual(['Opening hours', 'Returns']);
  expect(find('SHOP')).toEqual(['Opening hours']);
  expect(find('')).toEqual(['Opening hours', 'Returns']);
  expect(find('bicycle')).toEqual([]);
});

test('a chosen answer replaces the text, and a chosen colleague replaces the begun name', () => {
  const [answer] = matchAnswers(answers, 'open');
  const [person] = matchPeople([{ id: 'u1', name: 'Bruno Schulz' }], 'sch');
  if (!answer || !person) throw new Error('Nothing was found.');
  expect(applySuggestion('/open', answer)).toBe('We open at nine.');
  expect(applySuggestion('ask @sch', person)).toBe('ask @Bruno Schulz ');
});

test('a colleague whose name was deleted from the text is not mentioned', () => {
  const mentioned = { u1: 'Bruno Schulz', u2: 'Mei Lin' };
  expect(findMentioned('@Mei Lin please look', mentioned)).toEqual(['u2']);
});
