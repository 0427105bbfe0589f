import { describe, expect, test } from 'vitest';
import { mentionTargets } from '../../domain/events/conversation-events.ts';
import { payloadMessages } from '../../domain/messages/post.ts';
import { stateAfter, bot, contact, conversation } from '../support/conversations.ts';

describe('the touchpoints of a conversation', () => {
  test('the last touchpoint that the contact used is selected', () => {
    const web = stateAfter(conversation(), contact, {});
    expect(web.touchpoints).toEqual({ web: { services: [], selected: true } });
    const sms = stateAfter(web, bot, { role: 'contact', touchpoint: 'sms', service: 's1' });
    expect(sms.touchpoints).toEqual({
      web: { services: [], selected: false },
      sms: { services: ['s1'], selected: true },
    });
    expect(stateAfter(sms, contact, {}).touchpoints).toMatchObject({
      web: { selected: true },
      sms: { selected: false },
    });
  });

  test('a message with a template or a service activates its touchpoint, and selects it if no other touchpoint is selected', () => {
    const template = { touchpoint: 'whatsapp', meta: { template: 'welcome' } };
    expect(stateAfter(conversation(), bot, template).touchpoints).toEqual({
      whatsapp: { services: [], selected: true },
    });
    const web = stateAfter(conversation(), contact, {});
    const mirrored = { touchpoint: 'email', service: 's1', isBackchannel: false };
    expect(stateAfter(web, bot, mirrored).touchpoints).toEqual({
      web: { services: [], selected: true },
      email: { services: ['s1'], selected: false },
    });
  });

  test.each([
    { touchpoint: 'sms' },
    { touchpoint: 'sms', isBackchannel: false },
    { touchpoint: 'sms', service: 's1', isBackchannel: true },
    { type: 'status' as const, touchpoint: 'sms', service: 's1', isBackchannel: false },
  ])("a bot's message %j does not activate a touchpoint", (input) => {
    expect(stateAfter(conversation(), bot, input).touchpoints).toEqual({});
  });

  test('a touchpoint of a conversation keeps the latest twenty services', () => {
    let state = conversation();
    for (let n = 1; n <= 21; n++) state = stateAfter(state, contact, { service: `s${n}` });
    expect(state.touchpoints['web']?.services).toHaveLength(20);
    expect(state.touchpoints['web']?.services.at(-1)).toBe('s21');
  });
});

test.each([
  [
    { type: 'mention', meta: { targetUser: 'u1', targetBot: ['b1', 'b2', 'u1', 7] } } as const,
    ['u1', 'b1', 'b2'],
  ],
  [{ type: 'mention' } as const, []],
  [{ type: 'chat', meta: { targetUser: 'u1' } } as const, []],
])('the users mentioned by the message %j are %j', (message, targets) => {
  expect(mentionTargets(message)).toEqual(targets);
});

test.each([
  ['{"type":"chat","text":"Hi"}', [{ type: 'chat', text: 'Hi' }]],
  [' [{"text":"a"},{"text":"b","role":"bot"}]', [{ text: 'a' }, { text: 'b', role: 'bot' }]],
  ['buy', null],
  ['{"sku":1}', null],
  ['{"text":1}', null],
  ['[]', null],
  ['[{"text":"a"},7]', null],
  ['{"text":"a"', null],
  ['"text"', null],
  ['{"text":"big","meta":{"n":9007199254740991}}', [{ text: 'big', meta: { n: 9007199254740991 } }]],
  ['{"text":"big","meta":{"n":9007199254740993}}', null],
  ['[{"text":"big"},{"text":"long","meta":{"n":[12345678901234567890]}}]', null],
  [JSON.stringify(Array.from({ length: 101 }, () => ({ text: 'a' }))), null],
])(
  'the payload of a button is parsed as messages only if it is a message or a list of 1 to 100 messages: $0',
  (payload, messages) => {
    expect(payloadMessages(payload)).toEqual(messages);
  },
);
