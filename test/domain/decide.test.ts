import { describe, expect, test } from 'vitest';
import type { ConversationState } from '../../domain/conversations/conversation.ts';
import { decideAmend, decidePost } from '../../domain/conversations/decide.ts';
import type { MessageInput } from '../../domain/messages/draft.ts';
import {
  NOW,
  agent,
  bot,
  contact,
  conversation,
  draft,
  deepFreeze,
  id,
  participant,
  postAll,
  replayChanges,
  secondAgent,
  catchError,
} from '../support/conversations.ts';

const order = { form: 'f1', name: 'Order', type: 'topic', values: {} } as const;

describe('a post', () => {
  test('a post numbers its messages in order, after the last sequence of the conversation', () => {
    const { posted, state } = postAll(conversation({ sequence: 7 }), agent, [
      draft(agent, {}),
      draft(agent, {}),
      draft(agent, {}),
    ]);
    expect(posted.map(({ sequence, processedAt }) => [sequence, processedAt])).toEqual([
      [8, NOW],
      [9, NOW],
      [10, NOW],
    ]);
    expect(state.sequence).toBe(10);
  });

  test('a post is refused as a whole if one message is invalid, and the error names that message', () => {
    const messages = [draft(agent, {}), draft(agent, {}), draft(agent, { type: 'form', text: '-Order' })];
    expect(catchError(() => postAll(deepFreeze(conversation()), agent, messages))).toMatchObject({
      code: 'unprocessable',
      message: 'messages.2: The form "Order" is not open in this conversation.',
      details: [{ path: 'messages.2' }],
    });
    expect(catchError(() => postAll(conversation(), agent, messages.slice(2)))).toMatchObject({
      message: 'The form "Order" is not open in this conversation.',
    });
  });

  test('a post applies each message to the state after the earlier messages', () => {
    const messages = [draft(agent, { type: 'command', text: '/set status closed' }), draft(contact, {})];
    expect(postAll(conversation(), agent, messages).state.status).toBe('queued');
  });

  test('a post of a stored message or of a repeated externalId returns the message that was stored first', () => {
    const known = { id: id(), sequence: 3, processedAt: NOW };
    const messages = [draft(agent, { externalId: 'x' }), draft(agent, {}), draft(agent, { externalId: 'x' })];
    const { posted, changes, state } = decidePost(
      conversation({ sequence: 3 }),
      { caller: agent, messages },
      { now: NOW, findKnown: (one) => (one.id === messages[1]?.id ? known : undefined) },
    );
    const first = { id: messages[0]?.id, sequence: 4, processedAt: NOW };
    expect(posted).toEqual([first, { ...known, known: true }, { ...first, known: true }]);
    expect([changes.length, state.sequence]).toEqual([1, 4]);
  });

  test('a post is refused if the conversation does not exist and the post does not create it', () => {
    expect(() =>
      decidePost(
        null,
        { caller: agent, messages: [draft(agent, {})] },
        { now: NOW, findKnown: () => undefined },
      ),
    ).toThrow(expect.objectContaining({ code: 'not_found' }));
  });

  test('a post does not modify the given state or drafts', () => {
    const state = deepFreeze(
      conversation({
        participants: [participant(agent)],
        forms: [order],
        pending: [{ id: id(), dueAt: NOW }],
        meta: { a: { b: 1 } },
      }),
    );
    const messages = deepFreeze([
      draft(contact, { service: 's1' }),
      draft(bot, { delay: 5 }, { facts: { fingerprint: 'f' } }),
      draft(agent, { type: 'command', text: '/set a' }),
      draft(agent, { type: 'field', text: '.item x', meta: { form: 'f1' } }),
      draft(agent, { type: 'command', text: '/accept' }),
    ]);
    expect(postAll(state, bot, messages).changes).toHaveLength(5);
  });

  test('a post returns changes that produce the same state when they are replayed', () => {
    const state = conversation({ name: 'Old', participants: [participant(secondAgent)], forms: [order] });
    const texts: Partial<MessageInput>[] = [
      {},
      { role: 'agent' },
      { type: 'command', text: '/set name' },
      { type: 'command', text: '/leave' },
      { delay: 9 },
    ];
    const decision = postAll(
      state,
      agent,
      texts.map((input) => draft(agent, input)),
    );
    expect(replayChanges(state, decision.changes)).toStrictEqual(decision.state);
  });

  test('a post does not store the facts of a message', () => {
    const [change] = postAll(conversation(), agent, [draft(agent, {})]).changes;
    expect(change?.kind === 'processed' && Object.keys(change.message)).not.toContain('facts');
  });
});

describe('an amendment', () => {
  const amend = (state: ConversationState, effects: Parameters<typeof decideAmend>[1]['effects']) =>
    decideAmend(state, { id: id(), by: agent.user, effects, now: NOW });

  test('an amendment with a read effect resets the unread count of the reader and adds no participant', () => {
    const state = conversation({
      participants: [participant(agent, { unreadCount: 3 }), participant(bot, { unreadCount: 3 })],
    });
    const read = amend(state, [
      { kind: 'read', user: agent.user },
      { kind: 'read', user: contact.user },
    ]);
    expect(read.state.participants.map(({ user, unreadCount }) => [user, unreadCount])).toEqual([
      [agent.user, 0],
      [bot.user, 3],
    ]);
  });

  test('an amendment replaces the given fields, clears the named fields and keeps all others', () => {
    const state = conversation({ name: 'Old', language: 'nl', meta: { a: 1 } });
    const { state: repaired } = amend(state, [
      { kind: 'replace', fields: { meta: { b: 2 }, status: 'closed' }, clear: ['name'] },
    ]);
    expect(repaired).toMatchObject({ meta: { b: 2 }, status: 'closed', language: 'nl' });
    expect(repaired).not.toHaveProperty('name');
  });

  test.each([
    [{ name: 'n'.repeat(501) }, 'unprocessable'],
    [{ meta: { a: 'x'.repeat(16_400) } }, 'unprocessable'],
    [
      { participants: Array.from({ length: 101 }, () => participant({ ...agent, user: id() })) },
      'unprocessable',
    ],
    [{ meta: { constructor: 1 } }, 'invalid_request'],
    [{ forms: [{ ...order, values: { prototype: 1 } }] }, 'invalid_request'],
  ] as const)(
    'an amendment is refused if the resulting state exceeds a limit or has a forbidden key',
    (fields, code) => {
      const effects = [{ kind: 'replace' as const, fields: fields as Partial<ConversationState>, clear: [] }];
      expect(() => amend(conversation(), effects)).toThrow(expect.objectContaining({ code }));
    },
  );

  test('an amendment may shrink meta that exceeds the limit and may change other fields, but may not add to meta', () => {
    const large = conversation({ meta: { a: 'x'.repeat(20_000), b: 'x'.repeat(1000) } });
    expect(amend(large, [{ kind: 'meta', key: 'b', value: null }]).state.meta).not.toHaveProperty('b');
    expect(amend(large, [{ kind: 'status', status: 'closed' }]).state.status).toBe('closed');
    expect(() => amend(large, [{ kind: 'meta', key: 'c', value: 'x' }])).toThrow(/16384 bytes of meta/);
  });
});
