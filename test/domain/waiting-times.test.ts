import { describe, expect, test } from 'vitest';
import { decideAmend, decideDue } from '../../domain/conversations/decide.ts';
import type { Effect } from '../../domain/conversations/change.ts';
import type { ConversationState } from '../../domain/conversations/conversation.ts';
import { waitingTimes } from '../../domain/conversations/waiting-times.ts';
import type { MessageInput } from '../../domain/messages/draft.ts';
import {
  agent,
  bot,
  caller,
  contact,
  conversation,
  draft,
  id,
  later,
  secondAgent,
  stateAfter,
} from '../support/conversations.ts';

const [T1, T2, T3] = [later(1_000), later(2_000), later(3_000)];
const byContact = { role: 'contact' } as const;
const byAgent = { role: 'agent' } as const;
const byBot = { role: 'bot', isBackchannel: false } as const;

function written(before = conversation()): ConversationState {
  return stateAfter(before, contact, byContact, { now: T1 });
}

function amended(before: ConversationState, effect: Effect, now: string): ConversationState {
  return decideAmend(before, { id: id(), by: agent.user, effects: [effect], now }).state;
}

/** Spec 5.15. */
describe('firstContactAt', () => {
  test('firstContactAt is the time of the first message of the contact and stays', () => {
    expect(stateAfter(written(), contact, byContact, { now: T2 }).firstContactAt).toBe(T1);
  });

  test.each<[string, Partial<MessageInput>]>([
    ['a message of a bot', byBot],
    ['a message of an agent', byAgent],
    ['a note on the back channel', { ...byContact, isBackchannel: true }],
    ['a report message', { type: 'report' }],
  ])('%s does not set firstContactAt', (_, input) => {
    expect(stateAfter(conversation(), bot, input, { now: T1 })).not.toHaveProperty('firstContactAt');
  });

  test('a delayed message of the contact sets firstContactAt when it is due', () => {
    const message = draft(contact, { ...byContact, delay: 1_000 });
    const waiting = { ...conversation(), pending: [{ id: message.id, dueAt: T2 }] };
    expect(decideDue(waiting, [{ caller: contact, message }], T2).state.firstContactAt).toBe(T2);
  });
});

describe('firstReplyAt', () => {
  test('a message of a timer does not count as a reply', () => {
    const reminded = stateAfter(written(), caller('bot', 't1', 'timer'), byBot, { now: T2 });
    expect(reminded).not.toHaveProperty('firstReplyAt');
    expect(stateAfter(reminded, bot, byBot, { now: T3 }).firstReplyAt).toBe(T3);
  });

  test.each([
    ['a bot', bot, byBot],
    ['an agent', agent, byAgent],
  ] as const)('the first reply of %s sets firstReplyAt, a later reply does not', (_, by, input) => {
    const replied = stateAfter(written(), by, input, { now: T2 });
    expect(replied.firstReplyAt).toBe(T2);
    expect(stateAfter(replied, secondAgent, byAgent, { now: T3 }).firstReplyAt).toBe(T2);
  });

  test('a message before the first message of the contact does not count as a reply', () => {
    const greeted = stateAfter(conversation(), bot, byBot, { now: T1 });
    expect(greeted).not.toHaveProperty('firstReplyAt');
    const answered = stateAfter(stateAfter(greeted, contact, byContact, { now: T2 }), bot, byBot, {
      now: T3,
    });
    expect(answered).toMatchObject({ firstContactAt: T2, firstReplyAt: T3 });
  });

  test.each<[string, Partial<MessageInput>]>([
    ['a note on the back channel', { ...byAgent, isBackchannel: true }],
    ['a command', { type: 'command', text: '/accept' }],
    ['a message with role system', { role: 'system' }],
    ['another message of the contact', byContact],
  ])('%s does not count as a reply', (_, input) => {
    expect(stateAfter(written(), agent, input, { now: T2 })).not.toHaveProperty('firstReplyAt');
  });
});

describe('acceptedAt', () => {
  test.each<[string, Partial<MessageInput>]>([
    ['/accept', { type: 'command', text: '/accept' }],
    ['the first message of an agent', byAgent],
  ])('%s sets acceptedAt, and a second acceptance does not change it', (_, input) => {
    const accepted = stateAfter(written(), agent, input, { now: T2 });
    expect(accepted.acceptedAt).toBe(T2);
    expect(stateAfter(accepted, secondAgent, input, { now: T3 }).acceptedAt).toBe(T2);
  });

  test('an assignment and a status do not set acceptedAt', () => {
    const assigned = amended(written(), { kind: 'participant', user: agent.user, set: { inbox: true } }, T2);
    const active = amended(assigned, { kind: 'status', status: 'active' }, T3);
    expect(active).not.toHaveProperty('acceptedAt');
  });
});

describe('closedAt', () => {
  test('closedAt is the time of the first closing, and stays when the conversation reopens', () => {
    const closed = amended(written(), { kind: 'status', status: 'closed' }, T2);
    expect(closed.closedAt).toBe(T2);
    const reopened = stateAfter(closed, contact, byContact, { now: T3 });
    expect(reopened).toMatchObject({ status: 'queued', closedAt: T2 });
    expect(amended(reopened, { kind: 'status', status: 'closed' }, later(9_000)).closedAt).toBe(T2);
  });

  test('a conversation that is created closed has no closedAt until it is closed', () => {
    const created = conversation({ status: 'closed' });
    expect(stateAfter(created, bot, byBot, { now: T1 })).not.toHaveProperty('closedAt');
    const reopened = stateAfter(created, contact, byContact, { now: T1 });
    expect(amended(reopened, { kind: 'status', status: 'closed' }, T2).closedAt).toBe(T2);
  });
});

describe('waiting times', () => {
  const createdAt = later(0);

  test('a wait counts from the first message of the contact', () => {
    const times = { createdAt, firstContactAt: T1, firstReplyAt: T2, acceptedAt: T2, closedAt: T3 };
    expect(waitingTimes(times)).toEqual({ accept: 1_000, firstReply: 1_000, close: 2_000 });
  });

  test('a wait counts from the creation if the contact wrote later or not at all', () => {
    expect(waitingTimes({ createdAt, acceptedAt: T2, closedAt: T3 })).toEqual({
      accept: 2_000,
      close: 3_000,
    });
    expect(waitingTimes({ createdAt, acceptedAt: T1, firstContactAt: T2 })).toEqual({ accept: 1_000 });
  });

  test('a wait that has not ended is absent', () => {
    expect(waitingTimes({ createdAt, firstContactAt: T1 })).toEqual({});
  });

  test('a clock that went back gives a wait of 0', () => {
    expect(waitingTimes({ createdAt: T3, acceptedAt: T1 })).toEqual({ accept: 0 });
  });
});
