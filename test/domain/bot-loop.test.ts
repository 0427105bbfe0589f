import { describe, expect, test } from 'vitest';
import type { Caller } from '../../domain/messages/message.ts';
import type { ConversationState } from '../../domain/conversations/conversation.ts';
import { decideDue, decidePost } from '../../domain/conversations/decide.ts';
import type { MessageInput } from '../../domain/messages/draft.ts';
import {
  agent,
  bot,
  caller,
  contact,
  conversation,
  draft,
  later,
  post,
  catchError,
} from '../support/conversations.ts';

const MINUTE = 60_000;
const otherBot = caller('bot', 'b2');

interface Said {
  by?: Caller;
  says?: string;
  input?: Partial<MessageInput>;
}

/** Posts one message. Its text is also its fingerprint. */
function say(
  state: ConversationState,
  atMs: number,
  { by = bot, says = 'Hi', input = {} }: Said = {},
): ConversationState {
  return post(state, by, { text: says, ...input }, { now: later(atMs), facts: { fingerprint: says } }).state;
}

function sayAll(state: ConversationState, said: (Said & { atMs: number })[]): ConversationState {
  return said.reduce((current, { atMs, ...one }) => say(current, atMs, one), state);
}

function times(count: number, said: (n: number) => Said & { atMs: number }) {
  return Array.from({ length: count }, (_, n) => said(n));
}

const identical = expect.objectContaining({ code: 'bot_loop_identical' }) as Error;
const consecutive = expect.objectContaining({ code: 'bot_loop_consecutive' }) as Error;

describe('the limit on identical messages of a bot', () => {
  const eight = sayAll(
    conversation(),
    times(8, (n) => ({ atMs: n * 1000 })),
  );

  test("a bot's ninth identical message within three minutes is refused with the time at which the block ends", () => {
    expect(catchError(() => say(eight, 100_000))).toMatchObject({
      code: 'bot_loop_identical',
      retryAfterSeconds: 80,
      message: expect.stringContaining(later(3 * MINUTE)) as unknown,
    });
  });

  test("a bot's ninth identical message is accepted as soon as the first message is three minutes old", () => {
    expect(() => say(eight, 3 * MINUTE - 1)).toThrow(identical);
    const nine = say(eight, 3 * MINUTE);
    expect(nine.sequence).toBe(9);
    expect(() => say(nine, 3 * MINUTE + 999)).toThrow(identical);
    expect(say(nine, 3 * MINUTE + 1000).sequence).toBe(10);
  });

  test('identical messages are counted separately for each bot and each message content', () => {
    expect(say(eight, 10_000, { says: 'Ho' }).sequence).toBe(9);
    expect(say(eight, 10_000, { by: otherBot }).sequence).toBe(9);
  });

  test('the limit on identical messages of a bot is not reset by a reply', () => {
    expect(() => say(say(eight, 9000, { by: contact }), 10_000)).toThrow(identical);
  });

  test('the limit on identical messages of a bot also counts messages in one request', () => {
    const drafts = Array.from({ length: 9 }, () =>
      draft(bot, { text: 'Hi' }, { facts: { fingerprint: 'Hi' } }),
    );
    const state = conversation();
    const all = (messages: typeof drafts) =>
      decidePost(state, { caller: bot, messages }, { now: later(0), findKnown: () => undefined });
    expect(() => all(drafts)).toThrow(identical);
    expect(() => all(drafts)).toThrow(/^messages\.8: /);
    expect(all(drafts.slice(1)).state.sequence).toBe(8);
  });

  test('the limit on identical messages counts at least the latest 128 different messages, and forgets older messages', () => {
    const other = (n: number): Said & { atMs: number } => ({ atMs: 10_000 + n, says: `other ${n}` });
    const answered = times(127, other).flatMap((said) => [said, { atMs: said.atMs, by: contact }]);
    const busy = sayAll(eight, answered);
    expect(() => say(busy, 20_000)).toThrow(identical);
    expect(Object.keys(busy.loops[bot.user]?.identical ?? {})).toHaveLength(128);
    const busier = sayAll(
      busy,
      times(33, (n) => other(127 + n)).flatMap((said) => [said, { atMs: said.atMs, by: contact }]),
    );
    expect(Object.keys(busier.loops[bot.user]?.identical ?? {})).toHaveLength(128);
    expect(say(busier, 20_000).loops[bot.user]?.identical['Hi']).toHaveLength(1);
  });
});

describe('the limit on consecutive messages of a bot', () => {
  const twenty = sayAll(
    conversation(),
    times(20, (n) => ({ atMs: n * MINUTE, says: `no ${n}` })),
  );

  test("a bot's 21st consecutive message within 60 minutes is refused with the time at which the block ends", () => {
    expect(catchError(() => say(twenty, 30 * MINUTE, { says: 'more' }))).toMatchObject({
      code: 'bot_loop_consecutive',
      retryAfterSeconds: 30 * 60,
      message: expect.stringContaining(later(60 * MINUTE)) as unknown,
    });
  });

  test('a blocked bot may send one more message each time one of its 20 consecutive messages becomes 60 minutes old', () => {
    expect(() => say(twenty, 60 * MINUTE - 1, { says: 'more' })).toThrow(consecutive);
    const more = say(twenty, 60 * MINUTE, { says: 'more' });
    expect(() => say(more, 61 * MINUTE - 1, { says: 'again' })).toThrow(consecutive);
    expect(say(more, 61 * MINUTE, { says: 'again' }).sequence).toBe(22);
  });

  test.each([
    ['an agent', { by: agent }],
    ['an agent who sends a command', { by: agent, input: { type: 'command', text: '/join' } }],
    ['the contact', { by: contact }],
    ['a bot that relays the contact', { by: otherBot, input: { role: 'contact' } }],
    ['the contact in an upsert', { by: caller('bot', 'b2', 'upsert'), input: { role: 'contact' } }],
  ] satisfies [string, Said][])(
    'the count of consecutive messages of a bot restarts from zero after a message of %s',
    (_, reply) => {
      const answered = say(twenty, 25 * MINUTE, reply);
      const again = sayAll(
        answered,
        times(20, (n) => ({ atMs: 26 * MINUTE, says: `again ${n}` })),
      );
      expect(() => say(again, 27 * MINUTE, { says: 'more' })).toThrow(consecutive);
    },
  );

  test('the limit on consecutive messages of a bot is not reset by another bot: each bot has its own count', () => {
    const other = say(twenty, 25 * MINUTE, { by: otherBot });
    expect(() => say(other, 26 * MINUTE, { says: 'more' })).toThrow(consecutive);
  });

  test('the limit on consecutive messages of a bot counts every type of message', () => {
    const types = ['command', 'field', 'status', 'tag', 'results', 'card'] as const;
    const texts: Record<string, string> = { command: '/join', field: '.a b' };
    const said = times(20, (n) => {
      const type = types[n % types.length]!;
      return { atMs: n, says: `${n}`, input: { type, text: texts[type] ?? `${n}` } };
    });
    expect(() => say(sayAll(conversation(), said), MINUTE)).toThrow(consecutive);
  });
});

describe('the bot loop limits do not count', () => {
  test('the bot loop limits do not count messages that were refused', () => {
    const eight = sayAll(
      conversation(),
      times(8, () => ({ atMs: 0 })),
    );
    for (let n = 0; n < 30; n++) expect(() => say(eight, n)).toThrow(identical);
    expect(say(eight, 3 * MINUTE).loops[bot.user]?.consecutive).toHaveLength(9);
    const wrong = { input: { type: 'command', text: '/assign' } } as const;
    expect(() => say(eight, 1, { says: 'other', ...wrong })).toThrow(/assign/);
  });

  test.each([
    ['messages of a bot with role contact', { input: { role: 'contact' } }],
    ['messages of a bot from an upsert', { by: caller('bot', 'b1', 'upsert') }],
    ['messages of a bot from a business event', { by: caller('bot', 'b1', 'event') }],
    ['messages of an agent', { by: agent }],
  ] satisfies [string, Said][])('the bot loop limits do not count %s', (_, said) => {
    const state = sayAll(
      conversation(),
      times(30, (n) => ({ atMs: n, ...said })),
    );
    expect(state).toMatchObject({ sequence: 30, loops: {} });
  });

  test('the bot loop limits do not count a delayed message a second time when it is processed', () => {
    const message = draft(
      bot,
      { text: 'Hi', delay: MINUTE },
      { facts: { fingerprint: 'Hi' }, now: later(0) },
    );
    const posted = decidePost(
      conversation(),
      { caller: bot, messages: [message] },
      { now: later(0), findKnown: () => undefined },
    );
    expect(posted.state.loops[bot.user]?.consecutive).toHaveLength(1);
    const due = decideDue(posted.state, [{ caller: bot, message }], later(MINUTE));
    expect(due.state.loops[bot.user]?.consecutive).toHaveLength(1);
  });

  test('the bot loop limits do not count a message that is already stored', () => {
    const eight = sayAll(
      conversation(),
      times(8, () => ({ atMs: 0 })),
    );
    const known = { id: 'first', sequence: 1, processedAt: later(0) };
    const again = { caller: bot, messages: [draft(bot, { text: 'Hi' }, { facts: { fingerprint: 'Hi' } })] };
    const decision = decidePost(eight, again, { now: later(1), findKnown: () => known });
    expect(decision).toMatchObject({ changes: [], posted: [{ ...known, known: true }] });
    expect(decision.state).toBe(eight);
  });
});
