import { expect, test } from 'vitest';
import { matchesPattern } from '../src/bot.ts';

test.each([
  ['message.create.contact.chat', 'message.create.contact.chat', 'contact', true],
  ['message.create.contact.chat.contact', 'message.create.contact.chat', 'contact', true],
  ['message.create.contact.chat.contact', 'message.create.contact.chat', 'bot', false],
  ['message.create.*', 'message.create.contact.card', 'bot', true],
  ['message.create', 'message.create.contact.card', 'bot', true],
  ['message.*.*.command', 'message.update.agent.command', undefined, true],
  ['message', 'messages.create', undefined, false],
  ['conversation.update', 'conversation.update', undefined, true],
  ['conversation.update.contact', 'conversation.update', undefined, false],
  ['*', 'user.login', undefined, true],
])('the match of pattern %s, event %s and role %s is %s', (pattern, event, role, matches) => {
  expect(matchesPattern(pattern, event, role)).toBe(matches);
});
