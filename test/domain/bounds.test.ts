import { describe, expect, test } from 'vitest';
import type { ConversationState, Participant } from '../../domain/conversations/conversation.ts';
import { decideAmend } from '../../domain/conversations/decide.ts';
import type { MessageInput } from '../../domain/messages/draft.ts';
import { DomainError } from '../../domain/errors.ts';
import { jsonBytes } from '../../domain/free-form.ts';
import type { Caller, MessageFacts } from '../../domain/messages/message.ts';
import { forContinueAsNew, createRecentMessages } from '../../domain/conversations/cached-messages.ts';
import {
  NOW,
  ORGANIZATION,
  agent,
  caller,
  contact,
  conversation,
  id,
  later,
  participant,
  post,
} from '../support/conversations.ts';

const MAX_CARRIED = 256 * 1024;

interface Attempt {
  by?: Caller;
  input: Partial<MessageInput>;
  facts?: MessageFacts;
  now?: string;
}

/** Posts messages until one is refused or `most` are posted. Returns the state and the refusal. */
function untilRefused(
  state: ConversationState,
  most: number,
  attempt: (n: number) => Attempt,
): { state: ConversationState; refusal?: string } {
  let current = state;
  for (let n = 0; n < most; n++) {
    const { by = agent, input, facts = {}, now = NOW } = attempt(n);
    try {
      current = post(current, by, input, { facts, now }).state;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return { state: current, refusal: error.message };
    }
  }
  return { state: current };
}

function assigning(): Attempt {
  const user = id();
  const facts = { assignees: [{ user, organization: ORGANIZATION, role: 'agent' }] };
  return { input: { type: 'command', text: '/assign', meta: { users: [user] } }, facts };
}

// 36 bots post in turn, each of them four different messages in rotation. The contact replies after
// the twelfth round, so that no post exceeds a limit on bot loops.
function chatter(n: number): Attempt {
  if (n === 12 * 36) return { by: contact, input: {} };
  const said = n < 12 * 36 ? n : n - 1;
  const fingerprint = `${said % 36}-${Math.floor(said / 36) % 4}`.padStart(24, 'f');
  return { by: chatterer(said % 36), input: { text: 'Hi' }, facts: { fingerprint }, now: later(n) };
}

function chatterer(n: number): Caller {
  return caller('bot', `bot${n}-`);
}

const form = { form: 'f'.repeat(24), name: 'Order', type: 'topic', values: {} } as const;
const wide = (n: number) => `${n}`.padStart(4, '0') + '\u0001'.repeat(40);

test.each<[string, (n: number) => Attempt, RegExp]>([
  ['participants', assigning, /at most 100 participants/],
  ['delayed messages', () => ({ input: { delay: 1000 } }), /at most 500 delayed messages waiting/],
  [
    'meta',
    (n) => ({ input: { type: 'command', text: `/set k${n} ${wide(n)}` } }),
    /at most 16384 bytes of meta/,
  ],
  [
    'meta set by field messages',
    (n) => ({ input: { type: 'field', text: `.k${n} ${wide(n)}` } }),
    /at most 16384 bytes of meta/,
  ],
  [
    'form values',
    (n) => ({ input: { type: 'field', text: `.k${n} ${wide(n)}`, meta: { form: 'Order' } } }),
    /at most 24576 bytes of open forms/,
  ],
  [
    'channels',
    (n) => ({
      input: { type: 'command', text: '/notify' },
      facts: { channels: { online: Array.from({ length: n }, id), offline: [] } },
    }),
    /at most 8192 bytes of channels/,
  ],
  [
    'touchpoints',
    (n) => ({
      by: contact,
      input: { touchpoint: `code${Math.floor(n / 20)}`, service: wide(n).padEnd(200, 'x') },
    }),
    /at most 8192 bytes of touchpoints/,
  ],
  [
    'name',
    (n) => ({ input: { type: 'command', text: `/set name ${'n'.repeat(450 + n)}` } }),
    /at most 500 characters of name/,
  ],
])('a conversation refuses %s above the limit, and the error states the limit', (_, attempt, words) => {
  expect(untilRefused(conversation({ forms: [form] }), 1000, attempt).refusal).toMatch(words);
});

describe('a conversation with a full list of participants', () => {
  const full = (...holders: Participant[]) => {
    const count = 100 - holders.length;
    const idle = Array.from({ length: count }, (_, n) =>
      participant(caller('bot', `bot${n}-`), { unreadCount: n === 40 ? 90 : 10 }),
    );
    return conversation({ participants: [...holders, ...idle] });
  };
  const idsOf = ({ participants }: ConversationState) => participants.map(({ user }) => user);

  test.each([agent, caller('bot', 'newcomer')])(
    'a new participant (%j) replaces the participant who was inactive for longest',
    (newcomer) => {
      const before = full();
      const { state } = post(before, newcomer, { text: 'hi' });
      const gone = before.participants[40]?.user;
      expect(idsOf(state)).toEqual([...idsOf(before).filter((user) => user !== gone), newcomer.user]);
    },
  );

  test('a new participant replaces nobody who holds the conversation, has it in the inbox, or is a guest', () => {
    const old = { unreadCount: 500 };
    const holders = [
      participant(caller('agent', id()), { ...old, accepted: true, active: true }),
      participant(caller('agent', id()), { ...old, inbox: true }),
      participant(caller('viewer', id()), old),
    ];
    let state = full(...holders);
    for (let n = 0; n < 150; n += 1) {
      state = post(state, caller('bot', `new${n}-`), { text: 'hi' }, { now: later(n * 60_000) }).state;
    }
    expect(state.participants).toHaveLength(100);
    expect(idsOf(state)).toEqual(expect.arrayContaining(holders.map(({ user }) => user)));
  });
});

test('a conversation with a full list of participants accepts messages, even if an unread count gains a digit', () => {
  const named = Array.from({ length: 100 }, () => participant(caller('agent', id()), { status: '' }));
  const room = 24 * 1024 - jsonBytes(named);
  const crowd = named.map((one, at) =>
    at === 0 ? { ...one, status: 'x'.repeat(room), unreadCount: 9 } : one,
  );
  const effects = [{ kind: 'replace' as const, fields: { participants: crowd }, clear: [] }];
  const { state } = decideAmend(conversation(), { id: id(), by: agent.user, effects, now: NOW });
  const told = post(state, contact, {}).state;
  expect(told.participants[0]?.unreadCount).toBe(10);
});

test('the state carried to the next workflow run stays below 256 KiB after posts that fill its fields to their limits', () => {
  const ids = (count: number) => Array.from({ length: count }, id);
  const attempts: ((n: number) => Attempt)[] = [
    (n) => ({ input: { type: 'command', text: `/set k${n} ${wide(n)}` } }),
    (n) => ({ input: { type: 'field', text: `.k${n} ${wide(n)}`, meta: { form: 'Order' } } }),
    () => ({ input: { type: 'command', text: `/set name ${'\u0001'.repeat(500)}` } }),
    () => ({ input: { type: 'command', text: `/set category ${'\u0001'.repeat(200)}` } }),
    () => ({
      input: { type: 'command', text: '/notify' },
      facts: { channels: { online: ids(303), offline: ids(303) } },
    }),
    (n) => ({
      by: contact,
      input: { touchpoint: `code${Math.floor(n / 20)}`, service: wide(n).padEnd(200, 'x') },
    }),
    assigning,
    () => ({ input: { delay: 1000 } }),
    chatter,
  ];
  const state = attempts.reduce(
    (full, attempt) => untilRefused(full, 1025, attempt).state,
    conversation({
      forms: [form],
      participants: Array.from({ length: 36 }, (_, n) => participant(chatterer(n))),
    }),
  );
  const recent = Array.from({ length: 1000 }, (_, n) => ({
    id: id(),
    externalId: `${n}`.padStart(200, 'x'),
    sequence: 1e6 + n,
    processedAt: NOW,
  }));
  expect(jsonBytes(state.loops)).toBeGreaterThan(25_000);
  expect(jsonBytes(state)).toBeGreaterThan(140_000);
  expect(jsonBytes(state)).toBeLessThan(160_000);
  expect(jsonBytes({ state, recent: forContinueAsNew(createRecentMessages(recent)) })).toBeLessThan(
    MAX_CARRIED,
  );
});
