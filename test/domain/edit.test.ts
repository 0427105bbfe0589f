import { describe, expect, test } from 'vitest';
import { decideErasure } from '../../domain/conversations/decide.ts';
import { decideEdit, decideRemoval, applyEdit } from '../../domain/messages/edit.ts';
import type { MessageEdit } from '../../domain/messages/edit.ts';
import { eventNames } from '../../domain/events/event-name.ts';
import {
  findRecentMessage,
  createRecentMessages,
  forgetRecentMessage,
  messagesIn,
} from '../../domain/conversations/cached-messages.ts';
import {
  NOW,
  agent,
  bot,
  conversation,
  draft,
  deepFreeze,
  id,
  later,
  post,
} from '../support/conversations.ts';

const processed = () => ({
  ...draft(agent, { text: 'before', meta: { a: 1 } }),
  sequence: 7,
  processedAt: NOW,
});

describe('an edit of a message', () => {
  test('an edit of a message replaces the given fields, clears the fields set to null and keeps all others', () => {
    const message = deepFreeze(processed());
    expect(applyEdit(message, { text: 'after', meta: null })).toEqual({
      ...Object.fromEntries(Object.entries(message).filter(([key]) => key !== 'meta')),
      text: 'after',
    });
    expect(applyEdit(message, {})).toEqual(message);
  });

  test('an edit of a message is refused if the new and the unchanged fields together mix actions that cannot be combined', () => {
    const reply = { type: 'reply', text: 'Yes', payload: 'y' } as const;
    const items = [{ title: 'A', actions: [{ type: 'link', text: 'Go', uri: 'u' } as const] }];
    const message = deepFreeze({ ...draft(agent, { actions: [reply] }), sequence: 7, processedAt: NOW });
    const edits = (edit: MessageEdit) =>
      decideEdit(conversation({ sequence: 7 }), {
        ...{ id: id(), caller: agent, stored: { message }, now: NOW, edit },
      }).changes;
    expect(() => edits({ items })).toThrow(
      expect.objectContaining({
        code: 'unprocessable',
        message: 'items.0.actions.0 (link) cannot be combined with actions.0 (reply)',
      }),
    );
    expect(edits({ items, actions: null })).toHaveLength(1);
  });

  test('an edit cannot make a message larger than 1 MiB', () => {
    const items = Array.from({ length: 40_000 }, () => ({ title: 'a title' }));
    expect(() => applyEdit(processed(), { items })).toThrow(
      expect.objectContaining({ code: 'unprocessable' }),
    );
  });

  test('an edit of a processed command changes the text and does not run the command again', () => {
    const state = conversation({ sequence: 7 });
    const message = { ...processed(), type: 'command' as const, text: '/set name old' };
    const editing = {
      id: id(),
      caller: bot,
      stored: { message },
      edit: { text: '/set name new' },
      now: later(5),
    };
    const decision = decideEdit(deepFreeze(state), editing);
    expect(decision.state).toEqual({ ...state, updatedAt: later(5), eventSequence: state.eventSequence + 1 });
    expect(decision.changes).toMatchObject([
      { kind: 'edited', message: { text: '/set name new', sequence: 7 } },
    ]);
  });

  test('an edit of a delayed message is validated, creates no event, and changes nothing if the message is no longer delayed', () => {
    const { state, changes } = post(conversation(), agent, {
      type: 'command',
      text: '/set name x',
      delay: 1000,
    });
    const [change] = changes;
    if (change?.kind !== 'delayed') throw new Error('expected a delayed message');
    const editing = { id: id(), caller: agent, stored: { message: change.message, caller: agent }, now: NOW };
    expect(() => decideEdit(state, { ...editing, edit: { text: '/set status asleep' } })).toThrow('status');
    const { changes: edited, state: next } = decideEdit(state, { ...editing, edit: { text: '/set name y' } });
    expect(edited.flatMap((one) => eventNames(one, state))).toEqual([]);
    expect(next.pending).toEqual(state.pending);
    expect(decideEdit({ ...state, pending: [] }, { ...editing, edit: { text: 'z' } }).changes).toEqual([]);
  });
});

test('a removed message keeps its sequence and frees its externalId', () => {
  const state = conversation({ sequence: 7 });
  const message = { ...processed(), externalId: 'e' };
  const known = {
    kind: 'processed' as const,
    id: message.id,
    at: NOW,
    caller: agent,
    message,
    effects: [],
    wasDelayed: false,
  };
  const recent = createRecentMessages(messagesIn([known]));
  const { changes, state: next } = decideRemoval(state, { id: id(), caller: agent, message, now: NOW });
  forgetRecentMessage(recent, changes);
  expect(next.sequence).toBe(7);
  expect(findRecentMessage(recent, message)).toEqual({ id: message.id, sequence: 7, processedAt: NOW });
  expect(findRecentMessage(recent, { ...message, id: id() })).toBeUndefined();
});

test('an erasure keeps the ids of a conversation, drops its content, and publishes the deletion of the conversation and of the contact', () => {
  const state = conversation({ name: 'Ada', meta: { secret: 1 }, eventSequence: 9, version: 4 });
  const { base, changes } = decideErasure(state, { id: id(), caller: agent, now: NOW });
  expect(JSON.stringify(base)).not.toMatch(/Ada|secret/);
  expect(base).toMatchObject({ id: state.id, contact: state.contact, eventSequence: 9, version: 4 });
  expect(changes.flatMap((one) => eventNames(one, base)).map(({ name }) => name)).toEqual([
    'conversation.delete',
    'contact.delete',
  ]);
});
