import { describe, expect, test } from 'vitest';
import { loopBlocks, unblockBots } from '../../domain/conversations/bot-loop.ts';
import type { ConversationState } from '../../domain/conversations/conversation.ts';
import { evolve } from '../../domain/conversations/evolve.ts';
import { decideAmend } from '../../domain/conversations/decide.ts';
import {
  conversationDetails,
  conversationTitle,
  deliveryDetails,
  erasureTitle,
  escapeMarkdown,
  failingNames,
} from '../../domain/operators/details.ts';
import { conversation, later } from '../support/conversations.ts';

const NOW = Date.parse('2026-01-01T12:00:00Z');
const MINUTE = 60_000;
const iso = (time: number) => new Date(time).toISOString();

/** Spec 11.2. */
describe('a summary in the Temporal UI', () => {
  test('a summary in the Temporal UI has the organization, the contact (without a contact, the name of the conversation) and the category, where they exist', () => {
    const parts = { organization: 'Acme', contact: 'Ada', name: 'Lead 7', category: 'Sales' };
    expect(conversationTitle(parts)).toBe('Acme · Ada · Sales');
    expect(conversationTitle({ ...parts, contact: '' })).toBe('Acme · Lead 7 · Sales');
    expect(conversationTitle({ organization: 'Acme', category: undefined })).toBe('Acme');
    expect(conversationTitle({})).toBe('');
  });

  test('a summary in the Temporal UI fits into the 400 bytes that Temporal allows, for names of any length', () => {
    const long = '𝒜'.repeat(300);
    const title = conversationTitle({ organization: long, contact: long, category: long });
    expect(Buffer.byteLength(JSON.stringify(title))).toBeLessThanOrEqual(400);
    expect(erasureTitle(undefined)).toBe('deletion of a conversation');
  });

  test('names in the Temporal UI have no effect as Markdown, and are truncated', () => {
    expect(escapeMarkdown('![a](b) `c` <d> | e\u0000\n# f_g*h\\', 100)).toBe('! a (b) c d e # f g h');
    expect(escapeMarkdown('O’Brien & Sons (Berlin) – 100% #1', 100)).toBe(
      'O’Brien & Sons (Berlin) – 100% #1',
    );
    expect(escapeMarkdown('abcdef', 4)).toBe('abc…');
  });
});

/** Spec 6.10, 11.2. */
describe('the details of a conversation in the Temporal UI', () => {
  const state = (fields: Partial<ConversationState>): ConversationState => ({ ...conversation(), ...fields });
  const minutesAgo = (minutes: number, count: number) => Array<number>(count).fill(NOW - minutes * MINUTE);
  const names = { b1: 'Echo Bot' };
  const loops = {
    b1: { identical: { x: minutesAgo(1, 8) }, consecutive: minutesAgo(10, 20) },
    b2: { identical: {}, consecutive: minutesAgo(61, 20) },
  };

  test('the details of a conversation in the Temporal UI have the message that was not delivered, with the reason', () => {
    const undelivered = { touchpoint: 'sms', at: iso(NOW), code: 'opted_out', reason: 'STOP | *now*' };
    const text = conversationDetails({ state: state({}), names, now: NOW, undelivered });
    expect(text).toContain(`| Not delivered | sms at ${iso(NOW)}: opted out, STOP now |`);
    expect(conversationDetails({ state: state({}), names, now: NOW })).not.toContain('Not delivered');
  });

  test('the details of a conversation in the Temporal UI begin with the blocked bots, each with the rule and the end of its block', () => {
    const text = conversationDetails({ state: state({ loops }), names, now: NOW });
    expect(text.split('\n').slice(0, 4)).toEqual([
      '**Needs attention**',
      '',
      `- Echo Bot is blocked until ${iso(NOW + 50 * MINUTE)}: it reached the limit of messages without a reply`,
      `- Echo Bot is blocked until ${iso(NOW + 2 * MINUTE)}: it reached the limit of identical messages within 3 minutes`,
    ]);
    expect(text).toContain(
      `| Bot loops | Echo Bot: 20 of 20 unanswered, blocked until ${iso(NOW + 50 * MINUTE)}, 8 of 8 the same, blocked until ${iso(NOW + 2 * MINUTE)} |`,
    );
    expect(text).not.toContain('b2');
  });

  test('the details of a conversation in the Temporal UI omit a block that has ended and the blocks of a closed conversation', () => {
    expect(loopBlocks(loops, NOW + 2 * MINUTE)).toMatchObject([{ rule: 'consecutive' }]);
    expect(loopBlocks(loops, NOW + 50 * MINUTE)).toEqual([]);
    const closed = state({ loops, status: 'closed' });
    expect(conversationDetails({ state: closed, names, now: NOW })).not.toContain('blocked');
  });

  test('the details of a conversation in the Temporal UI have the next timer with its time', () => {
    const at = iso(NOW + 5 * MINUTE);
    const timer = {
      timer: { name: 'no | *reply*', when: 'waiting' as const, afterMs: 1, event: 'e', user: 'b1' },
      ...{ since: iso(NOW), at },
    };
    const text = conversationDetails({ state: state({}), names, now: NOW, timer });
    expect(text).toContain(`| Next timer | no reply at ${at} |`);
    expect(conversationDetails({ state: state({}), names, now: NOW })).not.toContain('Next timer');
  });

  test('the details of a snoozed conversation in the Temporal UI have the time until which it is snoozed', () => {
    const snoozedUntil = iso(NOW + 60 * MINUTE);
    const text = conversationDetails({ state: state({ snoozedUntil }), names, now: NOW });
    expect(text).toContain(`| Snoozed until | ${snoozedUntil} |`);
    expect(conversationDetails({ state: state({}), names, now: NOW })).not.toContain('Snoozed');
  });

  test('the details of a conversation in the Temporal UI state that its timers rest after fifty firings on one day', () => {
    const fired = (count: number, day = '2026-01-01') =>
      conversationDetails({ state: state({ timing: { firings: { day, count } } }), names, now: NOW });
    expect(fired(50)).toMatch(
      /^\*\*Needs attention\*\*\n\n- its timers fired 50 times today and rest until tomorrow \(UTC\)\n/,
    );
    for (const other of [fired(49), fired(50, '2025-12-31')]) expect(other).not.toContain('timers fired');
  });

  test('the details of a queued conversation in the Temporal UI state that no member of its channels is online', () => {
    const queued = state({ channelsOffline: ['c1', 'c2'] });
    expect(conversationDetails({ state: queued, names, now: NOW })).toContain('online in 2 of its channels');
  });
});

/** Spec 6.4, 6.10. */
describe('an operator', () => {
  const amended = (before: ConversationState, effect: Parameters<typeof decideAmend>[1]['effects'][number]) =>
    decideAmend(before, { id: 'a1', by: 'u1', effects: [effect], now: later(1_000) });

  test('an operator unblocks one bot or all bots', () => {
    const counter = { identical: {}, consecutive: [NOW] };
    expect(unblockBots({ b1: counter, b2: counter }, 'b1')).toEqual({ b2: counter });
    expect(unblockBots({ b1: counter, b2: counter }, undefined)).toEqual({});
    const state = { ...conversation(), loops: { b1: counter } };
    expect(amended(state, { kind: 'unblocked', bot: 'b1' }).state.loops).toEqual({});
    expect(amended(state, { kind: 'unblocked', bot: 'other' }).changes).toEqual([]);
  });

  test('an operator makes one delayed message due, or all delayed messages in the order of their due times', () => {
    const pending = [
      { id: 'm2', dueAt: later(60_000) },
      { id: 'm1', dueAt: later(90_000) },
    ];
    const state = { ...conversation(), pending };
    const dueAt = later(1_000);
    expect(amended(state, { kind: 'hurried' }).state.pending).toEqual([
      { id: 'm2', dueAt },
      { id: 'm1', dueAt },
    ]);
    expect(amended(state, { kind: 'hurried', message: 'm1' }).state.pending).toEqual([
      { id: 'm1', dueAt },
      { id: 'm2', dueAt: later(60_000) },
    ]);
    expect(amended(state, { kind: 'hurried', message: 'unknown' }).changes).toEqual([]);
    expect(evolve(state, { kind: 'amended', id: 'a', at: dueAt, by: 'u', effects: [] }).pending).toEqual(
      pending,
    );
  });
});

/** Spec 11.2. */
describe('the details of a shard in the Temporal UI', () => {
  const failing = {
    service: 's1',
    name: 'CRM',
    host: 'crm.example.com',
    attempt: 3,
    outcome: 'timed_out' as const,
    reason: 'No complete response within 10000 ms.',
    since: '2026-01-01T11:00:00.000Z',
    at: iso(NOW),
  };

  test('the details of a shard in the Temporal UI list failing services first, with the request that replays their deliveries', () => {
    const text = deliveryDetails({ pending: 7, held: 0, failing: [failing] });
    expect(text).toMatch(/^\*\*Needs attention\*\*/);
    expect(text).toContain(
      `- CRM (crm.example.com): attempt 3 timed out (No complete response within 10000 ms.) at ${iso(NOW)}; next try: none, given up`,
    );
    expect(text).toContain(`"$API/services/s1/replay"`);
    expect(text).toContain(`-d '{"since":"2025-12-31"}'`);
    expect(deliveryDetails({ pending: 7, held: 0, failing: [] })).not.toContain('hand');
  });

  test('the search attribute of a shard lists as many names of failing services as fit, with ids for missing names', () => {
    const many = Array.from({ length: 20 }, (_, n) => ({
      ...failing,
      service: `s${n}`,
      name: `${n}${'𝒜'.repeat(99)}`,
    }));
    expect(Buffer.byteLength(JSON.stringify(failingNames({ failing: many })))).toBeLessThan(2_048);
    const { name: _, ...nameless } = failing;
    expect(failingNames({ failing: [failing, nameless] })).toEqual(['CRM', 's1']);
  });
});
