import { describe, expect, test } from 'vitest';
import { decideAmend, decideDue } from '../../domain/conversations/decide.ts';
import type { Effect } from '../../domain/conversations/change.ts';
import type { MessageInput } from '../../domain/messages/draft.ts';
import { stateAfter, agent, contact, conversation, draft, id, later } from '../support/conversations.ts';

const before = conversation();
const AT = later(60_000);

/** Spec 5.1. */
describe('lastMessageAt', () => {
  test('lastMessageAt equals the creation time until the first message is processed', () => {
    expect(before.lastMessageAt).toBe(before.createdAt);
  });

  test.each<[string, Partial<MessageInput>, boolean]>([
    ['a chat message changes', { type: 'chat' }, true],
    ['a note on the back channel changes', { type: 'chat', isBackchannel: true }, true],
    ['a card changes', { type: 'card' }, true],
    ['a postback changes', { type: 'postback', text: 'yes' }, true],
    ['a mention changes', { type: 'mention' }, true],
    ['a command does not change', { type: 'command', text: '/accept' }, false],
    ['a tag message does not change', { type: 'tag' }, false],
    ['a search message does not change', { type: 'search' }, false],
    ['a report message does not change', { type: 'report' }, false],
    ['a status message does not change', { type: 'status' }, false],
    ['a message that is still delayed does not change', { type: 'chat', delay: 1_000 }, false],
  ])('%s lastMessageAt', (_, input, moves) => {
    const next = stateAfter(before, agent, input, { now: AT });
    expect(next.lastMessageAt).toBe(moves ? AT : before.createdAt);
    expect(next.updatedAt).toBe(AT);
  });

  test('a delayed message sets lastMessageAt to the time at which the message is processed', () => {
    const message = draft(contact, { delay: 1_000 });
    const waiting = { ...before, pending: [{ id: message.id, dueAt: AT }] };
    const { state } = decideDue(waiting, [{ caller: contact, message }], AT);
    expect(state.lastMessageAt).toBe(AT);
  });

  test.each<[string, Effect]>([
    ['a participant reads', { kind: 'read', user: agent.user }],
    ['the status is set', { kind: 'status', status: 'closed' }],
    ['a user is assigned', { kind: 'participant', user: agent.user, set: { inbox: true } }],
    ['the conversation is repaired', { kind: 'replace', fields: { name: 'Other' }, clear: [] }],
  ])('lastMessageAt does not change when %s', (_, effect) => {
    const amend = { id: id(), by: agent.user, effects: [effect], now: AT };
    expect(decideAmend(before, amend).state).toMatchObject({
      updatedAt: AT,
      lastMessageAt: before.createdAt,
    });
  });
});
