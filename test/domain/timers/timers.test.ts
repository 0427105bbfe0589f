import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ConversationState } from '../../../domain/conversations/conversation.ts';
import { decidePost } from '../../../domain/conversations/decide.ts';
import type { MessageInput } from '../../../domain/messages/draft.ts';
import type { Caller } from '../../../domain/messages/message.ts';
import {
  MAX_FIRINGS,
  decideTimers,
  findNextTimer,
  decideWake,
  isExhausted,
  isOverdue,
} from '../../../domain/timers/timer.ts';
import { parseDuration } from '../../../domain/timers/duration.ts';
import type { Timer } from '../../../domain/timers/timer.ts';
import { TIMER_STATES } from '../../../domain/timers/timing.ts';
import { NOW, agent, bot, caller, contact, conversation, draft, later } from '../../support/conversations.ts';

const MINUTE = 60_000;
const ofTimer = caller('bot', 't1', 'timer');

function timer(fields: Partial<Timer> = {}): Timer {
  return { name: 't', when: 'queued', afterMs: MINUTE, event: 'e', user: bot.user, ...fields };
}

function post(state: ConversationState, by: Caller, input: Partial<MessageInput>, at = NOW) {
  const messages = [draft(by, input)];
  return decidePost(state, { caller: by, messages }, { now: at, findKnown: () => undefined }).state;
}

const say = { text: 'Hello' };
const accept = { type: 'command', text: '/accept' } as const;

function dueAt(state: ConversationState, fields: Partial<Timer>): string | undefined {
  return findNextTimer(state, { timers: [timer(fields)] })?.at;
}

describe('the states that timers watch', () => {
  const fresh = () => conversation({ timing: { queued: NOW, quiet: NOW } });

  test('a conversation is queued until it is taken, and again when it returns to the queue', () => {
    const taken = post(fresh(), agent, accept, later(1));
    const back = post(taken, agent, { type: 'command', text: '/set status queued' }, later(2));
    expect(dueAt(fresh(), {})).toBe(later(MINUTE));
    expect(dueAt(taken, {})).toBeUndefined();
    expect(dueAt(back, {})).toBe(later(2 + MINUTE));
  });

  test('a contact waits from the first message without a reply', () => {
    const asked = post(fresh(), contact, say, later(1));
    const again = post(asked, contact, say, later(2));
    const noted = post(again, agent, { ...say, isBackchannel: true }, later(3));
    const replied = post(noted, bot, { ...say, role: 'bot', isBackchannel: false }, later(4));
    const waiting = (state: ConversationState) => dueAt(state, { when: 'waiting' });
    expect([fresh(), asked, again, noted, replied].map(waiting)).toEqual([
      undefined,
      ...Array<string>(3).fill(later(1 + MINUTE)),
      undefined,
    ]);
  });

  test('a conversation is overdue from the firing of a timer to the end of its state', () => {
    const list = { timers: [timer({ when: 'waiting' })] };
    const asked = post(fresh(), contact, say, later(1));
    const { state } = decideTimers(asked, list, later(1 + MINUTE));
    const replied = post(state, agent, { ...say, role: 'agent', isBackchannel: false }, later(2 * MINUTE));
    expect([asked, state, replied].map((one) => isOverdue(one, list))).toEqual([false, true, false]);
  });

  test('a conversation is quiet from its last message on', () => {
    const said = post(fresh(), bot, say, later(5));
    expect(dueAt(fresh(), { when: 'quiet' })).toBe(later(MINUTE));
    expect(dueAt(said, { when: 'quiet' })).toBe(later(5 + MINUTE));
  });

  test('an accepted conversation waits for a reply of the agent who accepted it', () => {
    const taken = post(fresh(), agent, accept, later(1));
    const byBot = post(taken, bot, { ...say, role: 'bot', isBackchannel: false }, later(2));
    const replied = post(byBot, agent, { ...say, role: 'agent', isBackchannel: false }, later(3));
    const accepted = (state: ConversationState) => dueAt(state, { when: 'accepted' });
    expect([fresh(), taken, byBot, replied].map(accepted)).toEqual([
      undefined,
      later(1 + MINUTE),
      later(1 + MINUTE),
      undefined,
    ]);
    expect(post(replied, agent, accept, later(4)).timing?.accepted).toBeUndefined();
  });

  test('a reply on the chat page is unread until the contact writes', () => {
    const reply = { ...say, role: 'agent', isBackchannel: false } as const;
    const first = post(fresh(), agent, reply, later(1));
    const second = post(first, agent, reply, later(2));
    const noted = post(second, agent, { ...say, isBackchannel: true }, later(3));
    const answered = post(noted, contact, say, later(4));
    const unread = (state: ConversationState) => dueAt(state, { when: 'unread' });
    expect([fresh(), first, second, noted, answered].map(unread)).toEqual([
      undefined,
      ...Array<string>(3).fill(later(1 + MINUTE)),
      undefined,
    ]);
  });

  test('after a timer fired, the next unread reply begins the state again', () => {
    const reply = { ...say, role: 'agent', isBackchannel: false } as const;
    const list = { timers: [timer({ when: 'unread' })] };
    const { state, changes } = decideTimers(post(fresh(), agent, reply), list, later(MINUTE));
    expect(changes).toMatchObject([{ kind: 'timed', ifUnread: true, since: NOW }]);
    expect(findNextTimer(state, list)).toBeUndefined();
    expect(isOverdue(state, list)).toBe(false);
    const again = post(state, agent, reply, later(2 * MINUTE));
    expect(findNextTimer(again, list)).toMatchObject({ since: later(2 * MINUTE), at: later(3 * MINUTE) });
  });

  test('an agent who takes a conversation by a reply has replied', () => {
    const taken = post(fresh(), agent, { ...say, role: 'agent', isBackchannel: false }, later(1));
    expect([taken.status, taken.timing?.accepted]).toEqual(['active', undefined]);
  });

  test('no state holds in a closed conversation', () => {
    const closed = post(fresh(), agent, { type: 'command', text: '/set status closed' }, later(1));
    expect(TIMER_STATES.map((when) => dueAt(closed, { when }))).toEqual(TIMER_STATES.map(() => undefined));
  });

  test('the message of a timer changes no state', () => {
    const asked = post(fresh(), contact, say, later(1));
    const after = post(asked, ofTimer, { ...say, role: 'bot', isBackchannel: false }, later(2));
    expect(after.timing).toBe(asked.timing);
  });

  test('a conversation that an older version stored is quiet since its last message', () => {
    const { timing: _, ...old } = fresh();
    const after = post(old, bot, { type: 'status', text: 'x' }, later(9));
    expect(after.timing).toEqual({ queued: old.lastMessageAt, quiet: old.lastMessageAt });
  });
});

describe('/snooze', () => {
  const snooze = (text: string, state = conversation({ timing: { queued: NOW, quiet: NOW } })) =>
    post(state, agent, { type: 'command', text: `/snooze ${text}` });
  const HOUR = 60 * MINUTE;

  test.each([
    ['PT1H', later(HOUR)],
    [String(HOUR), later(HOUR)],
    [later(HOUR), later(HOUR)],
  ])('a conversation leaves the queue by /snooze %s', (text, until) => {
    expect(snooze(text)).toMatchObject({ status: 'active', snoozedUntil: until });
  });

  test.each(['', 'soon', 'P1M', 'PT0S', 'P401D', '2020-01-01', '2027-13-01', '99999999999999999999'])(
    'a conversation refuses /snooze "%s"',
    (text) => expect(() => snooze(text)).toThrow('/snooze'),
  );

  test('a closed conversation refuses /snooze', () => {
    expect(() => snooze('PT1H', conversation({ status: 'closed' }))).toThrow('closed');
  });

  test('a snoozed conversation returns to the queue at its time and not earlier, and its states begin again', () => {
    const snoozed = snooze('PT1H');
    expect(TIMER_STATES.map((when) => dueAt(snoozed, { when }))).toEqual(TIMER_STATES.map(() => undefined));
    expect(decideWake(snoozed, later(HOUR - 1)).changes).toEqual([]);
    const { changes, state } = decideWake(snoozed, later(HOUR));
    expect(changes).toMatchObject([{ kind: 'amended', by: agent.user }]);
    expect(state).toMatchObject({ status: 'queued', timing: { queued: later(HOUR), quiet: later(HOUR) } });
    expect(state).not.toHaveProperty('snoozedUntil');
    expect(decideWake(state, later(2 * HOUR)).changes).toEqual([]);
  });

  test('a snoozed conversation returns to the queue when the contact writes, and by /wake', () => {
    const woken = [
      post(snooze('PT1H'), contact, say, later(9)),
      post(snooze('PT1H'), agent, { type: 'command', text: '/wake' }, later(9)),
    ];
    for (const state of woken) {
      expect(state.status).toBe('queued');
      expect(state).not.toHaveProperty('snoozedUntil');
      expect(state.timing?.queued).toBe(later(9));
    }
    expect(post(snooze('PT1H'), bot, { ...say, role: 'bot' }, later(9)).snoozedUntil).toBe(later(HOUR));
  });

  test('a snoozed conversation stays with the agent who accepted it when it wakes', () => {
    const taken = post(conversation(), agent, accept);
    expect(decideWake(snooze('PT1H', taken), later(HOUR)).state.status).toBe('active');
  });

  test('a closed conversation is not snoozed', () => {
    const closed = post(snooze('PT1H'), agent, { type: 'command', text: '/set status closed' });
    expect(closed).not.toHaveProperty('snoozedUntil');
  });
});

describe('timers', () => {
  test('a timer is only for the conversations that it names', () => {
    const state = conversation({
      timing: { queued: NOW },
      category: 'sales',
      type: 'contact',
      touchpoints: { web: { services: [], selected: false }, sms: { services: [], selected: true } },
    });
    const isMeant = (only: NonNullable<Timer['only']>) => dueAt(state, { only }) !== undefined;
    expect(isMeant({ category: ['help', 'sales'], type: ['contact'], touchpoint: ['sms'] })).toBe(true);
    expect(isMeant({ category: ['help'] })).toBe(false);
    expect(isMeant({ type: ['bot'] })).toBe(false);
    expect(isMeant({ touchpoint: ['web'] })).toBe(false);
  });

  test(`a conversation fires at most ${MAX_FIRINGS} timers a day, and goes on the next day`, () => {
    let state = conversation({ timing: { queued: NOW } });
    for (let n = 0; n < MAX_FIRINGS; n += 1) {
      const since = later(n);
      state = decideTimers(
        { ...state, timing: { ...state.timing, queued: since } },
        { timers: [timer()] },
        later(n + MINUTE),
      ).state;
      expect(state.timing?.fired).toEqual({ t: since });
    }
    const again = { ...state, timing: { ...state.timing, queued: later(99) } };
    expect(isExhausted(again, later(MINUTE))).toBe(true);
    expect(dueAt(again, {})).toBe('2026-03-02T00:00:00.000Z');
    const next = decideTimers(again, { timers: [timer()] }, '2026-03-02T00:00:00.000Z');
    expect(next.state.timing?.firings).toEqual({ day: '2026-03-02', count: 1 });
  });

  test('a timer fires once for each beginning of its state, and never early', () => {
    const step = fc.record({
      kind: fc.constantFrom('contact', 'reply', 'note', 'accept', 'queue', 'close', 'timer', 'wait'),
      waitMs: fc.integer({ min: 0, max: 3 * MINUTE }),
    });
    const acts: Record<string, (state: ConversationState, at: string) => ConversationState> = {
      contact: (state, at) => post(state, contact, say, at),
      reply: (state, at) => post(state, agent, { ...say, role: 'agent', isBackchannel: false }, at),
      note: (state, at) => post(state, agent, { ...say, isBackchannel: true }, at),
      accept: (state, at) => post(state, agent, accept, at),
      queue: (state, at) => post(state, agent, { type: 'command', text: '/set status queued' }, at),
      close: (state, at) => post(state, agent, { type: 'command', text: '/set status closed' }, at),
      timer: (state, at) => post(state, ofTimer, { ...say, role: 'bot', isBackchannel: false }, at),
      wait: (state) => state,
    };
    const timers = TIMER_STATES.map((when, at) => timer({ name: when, when, afterMs: (at + 1) * MINUTE }));
    const holding = new Set<string>();
    const run = (steps: { kind: string; waitMs: number }[]) => {
      let state = conversation({ timing: { queued: NOW, quiet: NOW } });
      let clock = Date.parse(NOW);
      const fired = new Set<string>();
      const fireUntil = (end: number) => {
        for (let next = findNextTimer(state, { timers }); next; next = findNextTimer(state, { timers })) {
          if (Date.parse(next.at) > end) return;
          const early = new Date(Date.parse(next.at) - 1).toISOString();
          expect(decideTimers(state, { timers }, early).changes).toEqual([]);
          const { changes, state: after } = decideTimers(state, { timers }, next.at);
          for (const change of changes) {
            if (change.kind !== 'timed') throw new Error(change.kind);
            const { timer: name, since, dueAt } = change;
            const { afterMs } = timers.find((one) => one.name === name) ?? timer();
            expect(Date.parse(dueAt) - Date.parse(since)).toBe(afterMs);
            expect(state.timing?.[name as 'queued']).toBe(since);
            expect(fired).not.toContain(change.id);
            fired.add(change.id);
          }
          expect(changes.length).toBeGreaterThan(0);
          state = after;
        }
      };
      for (const { kind, waitMs } of steps) {
        clock += waitMs;
        fireUntil(clock);
        state = acts[kind]?.(state, new Date(clock).toISOString()) ?? state;
      }
      fireUntil(clock + 10 * MINUTE);
      // Every state that holds at the end has fired its timer.
      for (const when of TIMER_STATES) {
        const since = state.timing?.[when];
        if (since === undefined) continue;
        expect(state.timing?.fired?.[when]).toBe(since);
        holding.add(when);
      }
    };
    fc.assert(fc.property(fc.array(step, { maxLength: 12 }), run), { numRuns: 150 });
    expect([...holding].sort()).toEqual([...TIMER_STATES].sort());
  });
});

test.each([
  ['PT30M', 30 * MINUTE],
  ['P2D', 2880 * MINUTE],
  ['P1W', 7 * 1440 * MINUTE],
  ['P1DT2H3M4.5S', 1440 * MINUTE + 2 * 60 * MINUTE + 3 * MINUTE + 4_500],
  ['PT0S', 0],
  ['P', undefined],
  ['PT', undefined],
  ['P1DT', undefined],
  ['P1M', undefined],
  ['P1Y', undefined],
  ['1h', undefined],
  ['-PT1M', undefined],
  ['PT1M ', undefined],
])('the duration %s is %s milliseconds', (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});
