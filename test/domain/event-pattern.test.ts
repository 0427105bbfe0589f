import { describe, expect, test } from 'vitest';
import { matchesPattern, parseEventName, parsePattern } from '../../domain/events/event-pattern.ts';

const chat = { name: 'message.create.contact.chat', role: 'contact' };
const command = { name: 'message.create.contact.command' };
const created = { name: 'conversation.create', conversationType: 'contact' };
const user = { name: 'user.create' };

describe('an event pattern', () => {
  test.each([
    ['message.create.contact.chat', chat],
    ['message.create.contact.chat.contact', chat],
    ['message.create.contact.chat.*', chat],
    ['message.create.*', chat],
    ['message.*.contact', chat],
    ['*.create.*.chat', chat],
    ['message', chat],
    ['*', chat],
    ['message.create.contact.*.contact', chat],
    ['*.*.*.chat.contact', chat],
    ['*.*', user],
    ['message.create.contact.command.*', command],
    ['message.create.contact.command', command],
    ['conversation.create', created],
    ['conversation.create.*', created],
    ['conversation.create.contact', created],
    ['user.*', user],
    ['user.create', user],
  ])('the event pattern %s matches %o', (pattern, event) => {
    expect(matchesPattern(parsePattern(pattern), event)).toBe(true);
  });

  test.each([
    ['message.create.contact.chat.agent', chat],
    ['message.update', chat],
    ['message.create.agent', chat],
    ['message.create.contact.card', chat],
    ['message.create.contact.*.bot', command],
    ['conversation', chat],
    ['conversation.create.agent', created],
    ['user.login', user],
    ['*.*.*', user],
  ])('the event pattern %s does not match %o', (pattern, event) => {
    expect(matchesPattern(parsePattern(pattern), event)).toBe(false);
  });

  test.each([
    '',
    '.',
    'message.',
    'message..contact',
    'mesage.create',
    'message.created',
    'message.create.nobody',
    'message.create.contact.smoke',
    'message.create.contact.chat.nobody',
    'message.create.contact.chat.contact.more',
    'message.create.contact.command.agent',
    '*.*.*.status.system',
    'user.create.contact',
    'contact.login',
    'message.create.contact.**',
    'Message.create',
    ' message.create',
    'user.create\n',
    'constructor.create',
    '__proto__',
  ])('an event pattern is rejected if no event could match it: %j', (pattern) => {
    expect(() => parsePattern(pattern)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  });

  test.each([
    ['mesage.create', '"mesage" (word 1)', 'message, conversation, contact, user'],
    ['message.created', '"created" (word 2)', 'create, update, delete, receipt and *'],
    ['*.logout', '"logout" (word 2)', 'create, update, delete, receipt, login, error and *'],
    ['message.create.nobody', '"nobody" (word 3)', 'bot, contact, viewer, agent, admin, system and *'],
    ['message.*.contact.smoke', '"smoke" (word 4)', 'chat, card, postback'],
    ['message.create.contact.chat.nobody', '"nobody" (word 5)', 'contact, agent, bot, system and *'],
    ['message.*.*.form.bot', '"bot" (word 5)', 'chat, card, postback, mention'],
    ['user.create.contact', '"contact" (word 3)', 'such events have no more words'],
  ])(
    'the rejection of the event pattern %s names the wrong word and the words that are possible there',
    (pattern, word, possible) => {
      expect(() => parsePattern(pattern)).toThrow(word);
      expect(() => parsePattern(pattern)).toThrow(possible);
    },
  );
});

describe('the name of an example event', () => {
  test.each([
    ['contact.update', { name: 'contact.update' }],
    ['service.error', { name: 'service.error' }],
    ['conversation.create', { name: 'conversation.create', conversationType: 'contact' }],
    ['conversation.update.bot', { name: 'conversation.update', conversationType: 'bot' }],
    ['message.create', { name: 'message.create.contact.chat', role: 'contact' }],
    ['message.create.bot.chat.agent', { name: 'message.create.bot.chat', role: 'agent' }],
    ['message.update.contact.command', { name: 'message.update.contact.command', role: undefined }],
  ])('the event name %s is completed to %o', (text, event) => {
    expect(parseEventName(text)).toEqual(event);
  });

  test.each([
    ['message.created', 'possible are create, update, delete, receipt'],
    ['order.shipped', 'possible are message'],
    ['message.create.*', 'without *'],
    ['message', 'such as contact.update'],
    ['contact.update.contact', 'no more words'],
    ['message.create.contact.command.agent', 'have no role'],
  ])('the event name %s is refused with the reason', (text, words) => {
    expect(() => parseEventName(text)).toThrow(words);
  });
});
