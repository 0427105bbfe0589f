import { describe, expect, test } from 'vitest';
import type { ConversationState } from '../../domain/conversations/conversation.ts';
import { decideCancel, decideDue, decidePost } from '../../domain/conversations/decide.ts';
import type { MessageInput } from '../../domain/messages/draft.ts';
import type { Caller, MessageDraft } from '../../domain/messages/message.ts';
import {
  NOW,
  agent,
  conversation,
  draft,
  id,
  later,
  participant,
  postAll,
  replayChanges,
  secondAgent,
} from '../support/conversations.ts';

const order = { form: 'f1', name: 'Order', type: 'topic', values: {} } as const;

function waiting(state: ConversationState, by: Caller, input: Partial<MessageInput>) {
  const message = draft(by, { delay: 1000, ...input });
  return { message, ...postAll(state, by, [message]) };
}

describe('a delayed message', () => {
  test('delayed messages have no sequence until they are due, and are sorted by due time and then by id', () => {
    const drafts = [3000, 1000, 2000, 1000].map((delay) => draft(agent, { delay }));
    const { posted, state } = postAll(conversation(), agent, drafts);
    expect(posted).toEqual(drafts.map((one) => ({ id: one.id })));
    expect(state).toMatchObject({ sequence: 0, participants: [] });
    expect(state.pending).toEqual(
      [1, 3, 2, 0].map((at) => ({ id: drafts[at]?.id, dueAt: later(drafts[at]?.delay ?? 0) })),
    );
  });

  test('a delayed message is due after its delay, counted from the time at which it was received', () => {
    const message = draft(agent, { delay: 1000 });
    const { state } = decidePost(
      conversation(),
      { caller: agent, messages: [message] },
      { now: later(400), findKnown: () => undefined },
    );
    expect(state.pending).toEqual([{ id: message.id, dueAt: later(1000) }]);
  });

  test('a delayed message gets its sequence and its effects once, at its due time', () => {
    const { message, state } = waiting(conversation({ participants: [participant(secondAgent)] }), agent, {
      role: 'agent',
    });
    const due = decideDue(state, [{ caller: agent, message }], later(1000));
    expect(due.state).toMatchObject({ sequence: 1, pending: [], status: 'active' });
    expect(due.state.participants[0]?.unreadCount).toBe(1);
    expect(due.changes).toMatchObject([
      { kind: 'processed', wasDelayed: true, message: { processedAt: later(1000) } },
    ]);
    expect(decideDue(due.state, [{ caller: agent, message }], later(1001))).toEqual({
      changes: [],
      state: due.state,
    });
  });

  test.each([
    { type: 'form', text: '-Nothing' },
    { type: 'command', text: '/assign' },
    { type: 'command', text: `/set big ${'x'.repeat(17_000)}` },
  ] satisfies Partial<MessageInput>[])('a delayed message is validated when it is posted: $text', (input) => {
    expect(() => waiting(conversation(), agent, input)).toThrow(
      expect.objectContaining({ code: 'unprocessable' }),
    );
  });

  test('a delayed message is processed without its effect if the effect is no longer allowed', () => {
    const { message, state } = waiting(conversation({ forms: [order] }), agent, {
      type: 'field',
      text: '.item x',
      meta: { form: 'f1' },
    });
    const formGone = replayChanges(
      state,
      postAll(state, agent, [draft(agent, { type: 'form', text: '-Order' })]).changes,
    );
    const { changes, state: after } = decideDue(formGone, [{ caller: agent, message }], later(1000));
    expect(changes).toMatchObject([{ kind: 'processed', effects: [], message: { sequence: 2 } }]);
    expect(after).toMatchObject({ forms: [], pending: [], sequence: 2 });
  });

  test('a delayed message is processed even if the list of participants is full', () => {
    const { message, state } = waiting(conversation(), agent, {});
    const crowd = Array.from({ length: 100 }, () => participant({ ...agent, user: id() }));
    const { state: after } = decideDue(
      { ...state, participants: crowd },
      [{ caller: agent, message }],
      later(1000),
    );
    expect(after).toMatchObject({ sequence: 1, pending: [] });
    expect(after.participants).toHaveLength(100);
  });

  test('a delayed message is processed even if its stored content is damaged', () => {
    const { message, state } = waiting(conversation(), agent, {});
    const { text: _, role: __, ...damaged } = { ...message, type: 'command' };
    const { changes } = decideDue(state, [{ caller: agent, message: damaged as MessageDraft }], later(1000));
    expect(changes).toMatchObject([{ kind: 'processed', message: { id: message.id, sequence: 1 } }]);
  });

  test('cancelling removes a delayed message, and has no effect on a message that is not delayed', () => {
    const { message, state } = waiting(conversation(), agent, {});
    expect(decideCancel(state, message.id, NOW)).toMatchObject({
      changes: [{ kind: 'cancelled' }],
      state: { pending: [], sequence: 0 },
    });
    expect(decideCancel(state, id(), NOW)).toEqual({ changes: [], state });
  });
});
