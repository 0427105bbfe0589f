import { describe, expect, test } from 'vitest';
import type { Caller } from '../../domain/messages/message.ts';
import { CONVERSATION_STATUSES } from '../../domain/conversations/conversation.ts';
import type { ConversationState } from '../../domain/conversations/conversation.ts';
import { decidePost } from '../../domain/conversations/decide.ts';
import type { MessageInput } from '../../domain/messages/draft.ts';
import {
  NOW,
  stateAfter,
  agent,
  bot,
  contact,
  conversation,
  draft,
  participant,
  secondAgent,
} from '../support/conversations.ts';

interface Step {
  by: Caller;
  input: Partial<MessageInput>;
  participants?: ConversationState['participants'];
}

const say = (role: MessageInput['role'], isBackchannel?: boolean) => ({
  role,
  ...(isBackchannel === undefined ? {} : { isBackchannel }),
});
const command = (text: string) => ({ type: 'command' as const, text });
const others = [participant(secondAgent, { accepted: true })];
const me = [participant(agent, { accepted: true })];

describe('the status of a conversation', () => {
  test.each<[string, Step, [string, string, string]]>([
    ['a contact writes', { by: contact, input: {} }, ['queued', 'active', 'queued']],
    ['a bot relays the contact', { by: bot, input: say('contact') }, ['queued', 'active', 'queued']],
    ['a bot writes', { by: bot, input: say('bot', false) }, ['queued', 'active', 'closed']],
    ['an agent writes first', { by: agent, input: say('agent') }, ['active', 'active', 'active']],
    [
      'an agent writes first on the back channel',
      { by: agent, input: say('agent', true) },
      ['queued', 'active', 'closed'],
    ],
    [
      'a participating agent writes',
      { by: agent, input: say('agent'), participants: me },
      ['queued', 'active', 'closed'],
    ],
    ['/notify', { by: agent, input: command('/notify') }, ['queued', 'active', 'queued']],
    ['/accept', { by: agent, input: command('/accept') }, ['active', 'active', 'active']],
    ['/join', { by: agent, input: command('/join') }, ['queued', 'active', 'closed']],
    [
      '/leave, alone',
      { by: agent, input: command('/leave'), participants: me },
      ['closed', 'closed', 'closed'],
    ],
    [
      '/leave, others accepted',
      { by: agent, input: command('/leave'), participants: [...me, ...others] },
      ['queued', 'active', 'closed'],
    ],
    [
      '/set status queued',
      { by: agent, input: command('/set status queued') },
      ['queued', 'queued', 'queued'],
    ],
    [
      'a status message',
      { by: agent, input: { type: 'status', text: 'closed' } },
      ['queued', 'active', 'closed'],
    ],
  ])(
    'the status of a conversation changes as expected after this step: %s',
    (_, { by, input, participants = [] }, expected) => {
      const reached = CONVERSATION_STATUSES.map(
        (status) => stateAfter(conversation({ status, participants }), by, input).status,
      );
      expect(reached).toEqual(expected);
    },
  );

  test.each([
    ['queued', 'queued'],
    ['active', 'active'],
    ['closed', 'queued'],
  ] as const)('an upsert of a conversation with status %s leads to status %s', (status, expected) => {
    const post = { caller: bot, messages: [draft(bot, { type: 'status' })], reopen: true };
    const { state, changes } = decidePost(conversation({ status }), post, {
      now: NOW,
      findKnown: () => undefined,
    });
    expect(state.status).toBe(expected);
    expect(changes.map(({ kind }) => kind)).toEqual(
      status === 'closed' ? ['amended', 'processed'] : ['processed'],
    );
  });

  test('a new conversation is queued unless its creation sets a status, and its creator is a participant', () => {
    const { id, slug, organization, createdBy, createdAt } = conversation();
    const creator = { user: agent.user, organization, role: 'agent' };
    const create = { id, slug, organization, createdBy, createdAt, creator };
    const created = (seed: typeof create & { status?: 'closed' }) =>
      decidePost(
        null,
        { caller: agent, messages: [], create: seed },
        { now: NOW, findKnown: () => undefined },
      );
    expect(created(create)).toMatchObject({
      created: true,
      state: { status: 'queued', type: 'bot', participants: [participant(agent)] },
    });
    expect(created({ ...create, status: 'closed' }).state.status).toBe('closed');
  });
});

describe('participants and unread counts', () => {
  test('the first message of a user makes the user a participant; a contact never becomes one', () => {
    const state = stateAfter(stateAfter(conversation(), bot, {}), contact, {});
    expect(state.participants.map(({ user, role }) => [user, role])).toEqual([[bot.user, 'bot']]);
  });

  test('the first message of an agent accepts the conversation, as the command /accept does', () => {
    const before = conversation({ channels: ['c1'], participants: others });
    const [byWord, byCommand] = [
      stateAfter(before, agent, say('agent')),
      stateAfter(before, agent, command('/accept')),
    ];
    expect(byWord.participants.at(-1)).toEqual(participant(agent, { active: true, accepted: true }));
    expect(byWord.participants.at(-1)).toEqual(byCommand.participants.at(-1));
    expect(byWord.channels).toEqual([]);
  });

  test.each([
    ['chat', 1],
    ['card', 1],
    ['postback', 1],
    ['mention', 1],
    ['tag', 0],
    ['search', 0],
    ['report', 0],
    ['status', 0],
    ['results', 0],
  ] as const)('a message of type %s raises the unread count of all others by %d', (type, rise) => {
    const before = conversation({
      participants: [participant(agent, { unreadCount: 4 }), participant(secondAgent, { unreadCount: 4 })],
    });
    const counts = stateAfter(before, agent, { type }).participants.map(({ unreadCount }) => unreadCount);
    expect(counts).toEqual([rise ? 0 : 4, 4 + rise]);
  });
});
