import { describe, expect, test } from 'vitest';
import { decideAmend, decideDue } from '../../domain/conversations/decide.ts';
import type { Effect } from '../../domain/conversations/change.ts';
import type { MessageInput } from '../../domain/messages/draft.ts';
import { stateAfter, agent, contact, conversation, draft, id, later } from '../support/conversations.ts';

const before = conversation();
const AT = later(60_000);

/** Spec 5.1. */
describe('lastMessageAt', () => {
  test('lastMessageAt is the creation time before the first message', () => {
    expect(before.lastMessageAt).toBe(before.createdAt);
  });

  test.each<[string, Partial<MessageInput>, boolean]>([
    ['a chat moves it', { type: 'chat' }, true],
    ['a note on the back channel moves it', { type: 'chat', isBackchannel: true }, true],
    ['a card moves it', { type: 'card' }, true],
    ['a postback moves it', { type: 'postback', text: 'yes' }, true],
    ['a mention moves it', { type: 'mention' }, true],
    ['a command leaves it', { type: 'command', text: '/accept' }, false],
    ['a tag leaves it', { type: 'tag' }, false],
    ['a search leaves it', { type: 'search' }, false],
    ['a report leaves it', { type: 'report' }, false],
    ['a status leaves it', { type: 'status' }, false],
    ['a delayed message leaves it until its time', { type: 'chat', delay: 1_000 }, false],
  ])('the effect of a message on lastMessageAt depends on its type: %s', (_, input, moves) => {
    const next = stateAfter(before, agent, input, { now: AT });
    expect(next.lastMessageAt).toBe(moves ? AT : before.createdAt);
    expect(next.updatedAt).toBe(AT);
  });

  test('lastMessageAt is the time at which a delayed message is processed', () => {
    const message = draft(contact, { delay: 1_000 });
    const waiting = { ...before, pending: [{ id: message.id, dueAt: AT }] };
    const { state } = decideDue(waiting, [{ caller: contact, message }], AT);
    expect(state.lastMessageAt).toBe(AT);
  });

  test.each<[string, Effect]>([
    ['a participant reads', { kind: 'read', user: agent.user }],
    ['the status is set', { kind: 'status', status: 'closed' }],
    ['a user is assigned', { kind: 'participant', user: agent.user, set: { inbox: true } }],
    ['it is repaired', { kind: 'replace', fields: { name: 'Other' }, clear: [] }],
  ])('lastMessageAt does not change when %s', (_, effect) => {
    const amend = { id: id(), by: agent.user, effects: [effect], now: AT };
    expect(decideAmend(before, amend).state).toMatchObject({
      updatedAt: AT,
      lastMessageAt: before.createdAt,
    });
  });
});
