import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decideCancel, decideDue } from '../../domain/conversations/decide.ts';
import { decideEdit } from '../../domain/messages/edit.ts';
import type { MessageEdit } from '../../domain/messages/edit.ts';
import { scopeToPost } from '../../domain/messages/draft.ts';
import { findDueTime, parseSchedule } from '../../domain/messages/due-time.ts';
import type { MessageDraft } from '../../domain/messages/message.ts';
import {
  NOW,
  agent,
  bot,
  contact,
  conversation,
  draft,
  id,
  later,
  postAll,
} from '../support/conversations.ts';

const DAY_MS = 24 * 60 * 60_000;
const at = (ms: number) => parseSchedule({ sendAt: later(ms) }, NOW);
const dueTime = (sendAt: string) => findDueTime({ ...parseSchedule({ sendAt }, NOW), createdAt: NOW });

describe('the time at which a message is due', () => {
  test('a message with sendAt is due at that time, with any offset', () => {
    expect(dueTime('2026-03-01T13:00:00Z')).toBe('2026-03-01T13:00:00.000Z');
    expect(dueTime('2026-03-01T14:00:00+01:00')).toBe('2026-03-01T13:00:00.000Z');
    expect(dueTime('2026-03-02')).toBe('2026-03-02T00:00:00.000Z');
  });

  test('delay and sendAt that name the same time make a message due at the same time', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 400 * DAY_MS }), (ms) => {
        const delayed = findDueTime({ ...parseSchedule({ delay: ms }, NOW), createdAt: NOW });
        expect(findDueTime({ ...at(ms), createdAt: NOW })).toBe(delayed);
        expect(delayed).toBe(ms === 0 ? undefined : later(ms));
      }),
    );
  });

  test('a message is due at once if its sendAt has passed, as when a request is repeated after it', () => {
    for (const ms of [0, -1, -DAY_MS]) expect(findDueTime({ ...at(ms), createdAt: NOW })).toBeUndefined();
  });

  test.each([
    ['sendAt', { sendAt: later(400 * DAY_MS + 1) }],
    ['sendAt', { sendAt: later(-DAY_MS - 1) }],
    ['sendAt', { sendAt: 'tomorrow' }],
    ['sendAt', { sendAt: '2026-02-30T09:00:00Z' }],
    ['sendAt', { sendAt: '' }],
    ['sendAt', { sendAt: later(1000), delay: 1000 }],
    ['sendAt', { sendAt: later(0), delay: 0 }],
    ['delay', { delay: 400 * DAY_MS + 1 }],
    ['delay', { delay: Number.NaN }],
  ])('a message is refused because of an invalid %s: %j', (path, given) => {
    expect(() => parseSchedule(given, NOW)).toThrow(
      expect.objectContaining({ code: 'invalid_request', details: [expect.objectContaining({ path })] }),
    );
  });
});

describe('a message that waits and is moved', () => {
  const waiting = (delays: number[]) => {
    const drafts = delays.map((delay) => draft(bot, { delay }));
    return { drafts, state: postAll(conversation(), bot, drafts).state };
  };
  const move = (state: ReturnType<typeof waiting>['state'], message: MessageDraft, edit: MessageEdit) =>
    decideEdit(state, { id: id(), caller: bot, stored: { message, caller: bot }, edit, now: later(500) });

  test('a moved message is due at its new time, in order with the other messages that wait', () => {
    const { drafts, state } = waiting([1000, 2000, 3000]);
    const moved = move(state, drafts[0] as MessageDraft, { schedule: at(2500) });
    expect(moved.state.pending.map(({ dueAt }) => dueAt)).toEqual([later(2000), later(2500), later(3000)]);
    expect(moved.changes).toMatchObject([{ kind: 'edited', dueAt: later(2500), message: at(2500) }]);
    expect(moved.changes[0]).not.toHaveProperty('message.delay');
    expect(move(state, drafts[2] as MessageDraft, { schedule: { delay: 0 } }).state.pending[0]).toEqual({
      id: drafts[2]?.id,
      dueAt: NOW,
    });
  });

  test('a message keeps its time when only its text changes', () => {
    const { drafts, state } = waiting([1000]);
    const edited = move(state, drafts[0] as MessageDraft, { text: 'anew' });
    expect(edited.state.pending).toEqual(state.pending);
    expect(edited.changes[0]).not.toHaveProperty('dueAt');
  });

  test('a message cannot be moved once it is processed, and is never processed once it is cancelled', () => {
    const { drafts, state } = waiting([1000]);
    const [message] = drafts as [MessageDraft];
    const due = decideDue(state, [{ caller: bot, message }], later(1000));
    const [change] = due.changes;
    if (change?.kind !== 'processed') throw new Error('expected a processed message');
    expect(decideCancel(due.state, message.id, later(1000)).changes).toEqual([]);
    expect(move(due.state, message, { schedule: at(9000) }).changes).toEqual([]);
    expect(() => move(due.state, change.message, { schedule: at(9000) })).toThrow(
      expect.objectContaining({ code: 'conflict' }),
    );
    const cancelled = decideCancel(state, message.id, later(900));
    expect(decideDue(cancelled.state, [{ caller: bot, message }], later(1000)).changes).toEqual([]);
  });

  test('the time that was read with a processed message can be sent back', () => {
    const message = { ...draft(bot, { delay: 1000 }), sequence: 1, processedAt: later(1000) };
    const edit = { text: 'anew', schedule: { delay: 1000 } };
    expect(move(conversation({ sequence: 1 }), message, edit).changes).toHaveLength(1);
  });
});

test.each([
  [contact, { role: 'contact' }, 'guest'],
  [agent, { role: 'contact' }, 'guest'],
  [agent, { role: 'agent' }, 'agent'],
  [agent, { type: 'command', text: '/join' }, 'agent'],
  [bot, {}, 'agent'],
  [bot, { user: 'another' }, 'bot'],
] as const)('the message of %j with %j can be taken back with scope %s', (by, input, scope) => {
  expect(scopeToPost(draft(by, input))).toBe(scope);
});
