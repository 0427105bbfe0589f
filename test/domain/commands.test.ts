import { describe, expect, test } from 'vitest';
import { applyEffects } from '../../domain/conversations/evolve.ts';
import type { MessageFacts } from '../../domain/messages/message.ts';
import {
  ORGANIZATION,
  stateAfter,
  agent,
  bot,
  caller,
  conversation,
  participant,
  post,
  secondAgent,
} from '../support/conversations.ts';

const categories = [
  { name: 'Sales', forms: [] },
  { name: 'Support', forms: [] },
];

function command(
  text: string,
  { meta, facts }: { meta?: Record<string, unknown>; facts?: MessageFacts } = {},
) {
  return [{ type: 'command' as const, text, ...(meta ? { meta } : {}) }, facts ? { facts } : {}] as const;
}

describe('the command /set', () => {
  const before = conversation({
    name: 'Old',
    category: 'Support',
    categoryIndex: 1,
    language: 'nl',
    meta: { plan: 'free' },
  });

  test.each([
    ['/set name  Jane Doe ', { name: 'Jane Doe' }],
    ['/set name two\nlines', { name: 'two\nlines' }],
    ['/set name', { name: undefined }],
    ['/set language en', { language: 'en' }],
    ['/set @language', { language: undefined }],
    ['/set status closed', { status: 'closed' }],
    ['/set @status active', { status: 'active' }],
    ['/set category Sales', { category: 'Sales', categoryIndex: 0 }],
    ['/set category Billing', { category: 'Billing', categoryIndex: undefined }],
    ['/set category', { category: undefined, categoryIndex: undefined }],
    ['/set categoryIndex 0', { category: 'Sales', categoryIndex: 0 }],
    ['/set categoryIndex', { category: undefined, categoryIndex: undefined }],
    ['/set plan pro', { meta: { plan: 'pro' } }],
    ['/set plan', { meta: {} }],
    ['/set count 3', { meta: { plan: 'free', count: '3' } }],
    ['/set meta.name Jane', { name: 'Old', meta: { plan: 'free', name: 'Jane' } }],
    ['/set hasOwnProperty x', { meta: { plan: 'free', hasOwnProperty: 'x' } }],
  ])('the command %s sets the expected fields of the conversation', (text, expected) => {
    const state = stateAfter(before, agent, ...command(text, { facts: { categories } }));
    for (const field of Object.keys(expected)) {
      expect(state[field as keyof typeof state]).toEqual(expected[field as keyof typeof expected]);
    }
  });

  test('the command /set accepts any category index if the organization has no categories', () => {
    expect(stateAfter(before, agent, ...command('/set categoryIndex 7'))).toMatchObject({ categoryIndex: 7 });
  });

  test.each([
    ['/set', 'unprocessable'],
    ['/set ', 'unprocessable'],
    ['/set status', 'unprocessable'],
    ['/set status open', 'unprocessable'],
    ['/set @unknown x', 'unprocessable'],
    ['/set categoryIndex two', 'unprocessable'],
    ['/set categoryIndex -1', 'unprocessable'],
    ['/set categoryIndex 2', 'unprocessable'],
    ['/set meta. x', 'unprocessable'],
    [`/set name ${'n'.repeat(501)}`, 'unprocessable'],
    [`/set big ${'n'.repeat(17_000)}`, 'unprocessable'],
    ['/set __proto__ x', 'invalid_request'],
    ['/set @constructor x', 'invalid_request'],
    ['/set meta.prototype x', 'invalid_request'],
    ['/set a.b x', 'invalid_request'],
    ['/set $where x', 'invalid_request'],
  ])('the command $0 is rejected', (text, code) => {
    expect(() => post(before, agent, ...command(text, { facts: { categories } }))).toThrow(
      expect.objectContaining({ code }),
    );
  });
});

describe('the command /assign', () => {
  const assignees = [
    { user: secondAgent.user, organization: ORGANIZATION, role: 'agent' },
    { user: bot.user, organization: ORGANIZATION, role: 'bot' },
  ];

  test('the command /assign makes each user a participant once, with the conversation in the inbox of the user', () => {
    const meta = { users: [secondAgent.user, bot.user, secondAgent.user] };
    const state = stateAfter(
      conversation({ participants: [participant(bot, { accepted: true })] }),
      agent,
      ...command('/assign', { meta, facts: { assignees } }),
    );
    expect(state.participants).toEqual([
      participant(bot, { accepted: true, inbox: true }),
      participant(agent),
      participant(secondAgent, { inbox: true }),
    ]);
  });

  test('the command /assign for a bot or guest takes the conversation from nobody', () => {
    const before = conversation({ participants: [participant(agent, { accepted: true })] });
    const meta = { users: [bot.user] };
    const state = stateAfter(before, agent, ...command('/assign', { meta, facts: { assignees } }));
    expect(state.participants).toContainEqual(participant(agent, { accepted: true }));
  });

  const TEAM = '65f2a1c09b1d8e4f7a3c5e01';
  const assignTo = (meta: Record<string, unknown>) =>
    command('/assign', { meta, facts: { assignees, channels: { online: [], offline: [TEAM] } } });

  test.each(['active', 'closed', 'queued'] as const)(
    'the command /assign hands a conversation that is %s over to a team: it is queued and nobody holds it',
    (status) => {
      const holders = [
        participant(agent, { accepted: true, active: true }),
        participant(bot, { inbox: true }),
      ];
      const before = conversation({ status, participants: holders });
      const state = stateAfter(before, agent, ...assignTo({ team: TEAM }));
      expect(state).toMatchObject({ team: TEAM, status: 'queued' });
      expect(state.participants).toEqual([participant(agent), participant(bot)]);
    },
  );

  test('the command /assign puts the conversation into the inbox of users whom it names beside the team', () => {
    const before = conversation({ participants: [participant(bot, { accepted: true })] });
    const state = stateAfter(before, agent, ...assignTo({ team: TEAM, users: [secondAgent.user] }));
    expect(state.participants).toEqual([
      participant(bot),
      participant(agent),
      participant(secondAgent, { inbox: true }),
    ]);
  });

  test('a conversation that is handed over to a colleague is queued, and only the colleague has it in the inbox', () => {
    const holders = [participant(agent, { accepted: true, active: true })];
    const before = conversation({ status: 'active', participants: holders });
    const handOver = assignTo({ users: [secondAgent.user] });
    const state = stateAfter(before, agent, ...handOver);
    expect(state).toMatchObject({ status: 'queued' });
    expect(state.participants).toEqual([participant(agent), participant(secondAgent, { inbox: true })]);
    const snoozed = { ...before, snoozedUntil: '2126-01-01T00:00:00.000Z' };
    expect(stateAfter(snoozed, agent, ...handOver).status).toBe('active');
    expect(stateAfter({ ...before, status: 'closed' }, agent, ...handOver).participants).toEqual([
      ...holders,
      participant(secondAgent, { inbox: true }),
    ]);
  });

  test('a bot that hands a conversation over to a person holds it until it leaves', () => {
    const holders = [participant(bot, { accepted: true, active: true }), participant(agent, { inbox: true })];
    const before = conversation({ status: 'active', participants: holders });
    const state = stateAfter(before, bot, ...assignTo({ users: [secondAgent.user] }));
    expect(state.status).toBe('active');
    expect(state.participants).toEqual([
      participant(bot, { accepted: true, active: true }),
      participant(agent),
      participant(secondAgent, { inbox: true }),
    ]);
  });

  test('a conversation that is handed over to a user who has taken it stays active', () => {
    const holders = [participant(agent, { accepted: true }), participant(secondAgent, { accepted: true })];
    const before = conversation({ status: 'active', participants: holders });
    const state = stateAfter(before, agent, ...assignTo({ users: [secondAgent.user] }));
    expect(state.status).toBe('active');
    expect(state.participants).toEqual([
      participant(agent),
      participant(secondAgent, { accepted: true, inbox: true }),
    ]);
  });

  test('a snoozed conversation that is assigned to a team stays snoozed, and returns to the queue when it wakes', () => {
    const snoozed = conversation({
      status: 'active',
      snoozedUntil: '2126-01-01T00:00:00.000Z',
      participants: [participant(agent, { accepted: true })],
    });
    const state = stateAfter(snoozed, agent, ...assignTo({ team: TEAM }));
    expect(state).toMatchObject({ status: 'active', snoozedUntil: snoozed.snoozedUntil });
    expect(stateAfter(state, agent, ...command('/wake')).status).toBe('queued');
  });

  test('the team stays when a user takes the conversation, and goes by /assign with the team null', () => {
    const waiting = stateAfter(conversation(), agent, ...assignTo({ team: TEAM }));
    const taken = stateAfter(waiting, agent, ...command('/accept'));
    expect(taken).toMatchObject({ team: TEAM, status: 'active' });
    const without = stateAfter(taken, agent, ...assignTo({ team: null }));
    expect(without).toEqual({ ...without, status: 'active', participants: taken.participants });
    expect(without).not.toHaveProperty('team');
  });

  test.each([
    [undefined],
    [{}],
    [{ team: caller('agent', 'no team').user }],
    [{ team: 1 }],
    [{ team: [TEAM] }],
    [{ users: [] }],
    [{ users: secondAgent.user }],
    [{ users: [1] }],
    [{ users: [caller('agent', 'nobody').user] }],
  ])('the command /assign rejects meta %j', (meta) => {
    expect(() =>
      post(conversation(), agent, ...command('/assign', { ...(meta ? { meta } : {}), facts: { assignees } })),
    ).toThrow(expect.objectContaining({ code: 'unprocessable' }));
  });
});

describe('a mention', () => {
  const assignees = [
    { user: secondAgent.user, organization: ORGANIZATION, role: 'agent' },
    { user: bot.user, organization: ORGANIZATION, role: 'bot' },
  ];
  const mention = { type: 'mention' as const, text: '@all look', meta: { targetUser: secondAgent.user } };

  test('a mention puts the conversation into the inbox of the people whom it names, and of no bot', () => {
    const state = stateAfter(conversation(), agent, mention, { facts: { assignees } });
    expect(state.participants).toEqual([
      participant(agent),
      participant(secondAgent, { inbox: true, unreadCount: 1 }),
    ]);
  });

  test('a mention does not put a conversation that its target has accepted into the inbox again', () => {
    const before = conversation({ participants: [participant(secondAgent, { accepted: true })] });
    const state = stateAfter(before, agent, mention, { facts: { assignees } });
    expect(state.participants).toContainEqual(participant(secondAgent, { accepted: true, unreadCount: 1 }));
  });

  test.each([
    ['reads', true],
    ['answers', true],
    ['reads', false],
    ['answers', false],
  ])(
    'a mentioned colleague who %s has the conversation no longer in the inbox, if another has accepted it: %s',
    (does, isAccepted) => {
      const before = conversation({ participants: [participant(agent, { accepted: isAccepted })] });
      const mentioned = stateAfter(before, agent, mention, { facts: { assignees } });
      expect(mentioned.participants).toContainEqual(
        participant(secondAgent, { inbox: true, unreadCount: 1 }),
      );
      const after =
        does === 'reads'
          ? applyEffects(mentioned, [{ kind: 'read', user: secondAgent.user }])
          : stateAfter(mentioned, secondAgent, { isBackchannel: true });
      expect(after.participants).toContainEqual(participant(secondAgent, { inbox: !isAccepted }));
    },
  );

  test('an active conversation is queued again when the only person to whom it is assigned leaves the organization', () => {
    const leave = { kind: 'left', user: secondAgent.user } as const;
    const assigned = [participant(agent), participant(secondAgent, { inbox: true })];
    const left = (participants: typeof assigned) =>
      applyEffects(conversation({ status: 'active', participants }), [leave]).status;
    expect(left(assigned)).toBe('queued');
    expect(left([participant(agent, { accepted: true }), participant(secondAgent, { inbox: true })])).toBe(
      'active',
    );
    expect(left([participant(agent, { inbox: true }), participant(secondAgent, { accepted: true })])).toBe(
      'queued',
    );
  });

  test('a mention without visible targets changes no other participant', () => {
    expect(stateAfter(conversation(), agent, mention).participants).toEqual([participant(agent)]);
  });
});

describe('the command /notify', () => {
  const channels = { online: ['on1', 'on2'], offline: ['off1'] };

  test('the command /notify stores channels with a member online apart from channels without one', () => {
    const state = stateAfter(conversation(), agent, ...command('/notify', { facts: { channels } }));
    expect(state).toMatchObject({ channels: ['on1', 'on2'], channelsOffline: ['off1'] });
  });

  test('the command /notify uses only the channels named in meta, if meta names any', () => {
    const state = stateAfter(
      conversation(),
      agent,
      ...command('/notify', { meta: { channels: ['off1', 'on2'] }, facts: { channels } }),
    );
    expect(state).toMatchObject({ channels: ['on2'], channelsOffline: ['off1'] });
  });

  test.each([{ channels: ['nowhere'] }, { channels: 'on1' }, { channels: [null] }])(
    'the command /notify rejects meta %j',
    (meta) => {
      expect(() => post(conversation(), agent, ...command('/notify', { meta, facts: { channels } }))).toThrow(
        expect.objectContaining({ code: 'unprocessable' }),
      );
    },
  );
});

describe('the commands /join, /accept and /leave', () => {
  test('/join makes the sender a participant who has not accepted', () => {
    expect(stateAfter(conversation(), agent, ...command('/join')).participants).toEqual([participant(agent)]);
  });

  test('/accept removes the conversation from the inbox of the sender and clears the online channels of the conversation', () => {
    const before = conversation({
      participants: [participant(agent, { inbox: true, unreadCount: 2 })],
      channels: ['c1'],
      channelsOffline: ['c2'],
    });
    expect(stateAfter(before, agent, ...command('/accept'))).toMatchObject({
      participants: [participant(agent, { active: true, accepted: true, unreadCount: 2 })],
      channels: [],
      channelsOffline: ['c2'],
    });
  });

  test('/leave resets the participation of the sender only', () => {
    const mine = participant(agent, { active: true, accepted: true, inbox: true });
    const before = conversation({
      status: 'active',
      participants: [mine, participant(secondAgent, { accepted: true })],
    });
    expect(stateAfter(before, agent, ...command('/leave'))).toMatchObject({
      status: 'active',
      participants: [participant(agent), participant(secondAgent, { accepted: true })],
    });
  });
});

describe('a command', () => {
  test.each(['/unknown thing', '/SET name x', '>bot do it', '>weather', '/sets name x'])(
    'the command %s is stored without an effect',
    (text) => {
      const before = conversation({ participants: [participant(agent)] });
      const { changes, state } = post(before, agent, ...command(text));
      expect(changes).toMatchObject([{ kind: 'processed', effects: [] }]);
      expect(state).toMatchObject({ sequence: 1, meta: {} });
    },
  );

  test.each([
    'join',
    'set name x',
    '/',
    '>',
    '/ set',
    ' /join',
    '/join now',
    '/accept it',
    '/leave now',
    '/notify all',
    '/assign me',
  ])('the command %j is refused with an explanation', (text) => {
    expect(() => post(conversation(), agent, ...command(text))).toThrow(
      expect.objectContaining({
        code: 'unprocessable',
        message: expect.stringMatching(/\w+ .*\.$/) as unknown,
      }),
    );
  });

  test('a command leaves unread counts unchanged', () => {
    const before = conversation({ participants: [participant(secondAgent, { unreadCount: 1 })] });
    expect(stateAfter(before, agent, ...command('/join')).participants[0]).toMatchObject({ unreadCount: 1 });
  });
});
