import { describe, expect, test } from 'vitest';
import { conversationView, messageView } from '../../domain/events/view.ts';
import { agent, conversation, draft } from '../support/conversations.ts';

const publicUrl = 'https://parlance.example';

describe('a view', () => {
  test('a view of a conversation contains only public fields', () => {
    const stored = { ...conversation({}), hash: 'secret', pending: [{ id: 'x', dueAt: 'y' }] };
    const view = conversationView(stored, { publicUrl, results: [] });
    expect(Object.keys(view)).not.toContain('hash');
    expect(Object.keys(view)).not.toContain('pending');
    expect(view).toMatchObject({
      id: stored.id,
      status: stored.status,
      url: `${publicUrl}/c/${stored.slug}`,
    });
  });

  test('a view of a message contains only public fields', () => {
    const message = { ...draft(agent, { text: 'Hi' }), hash: 'secret', facts: { fingerprint: 'x' } };
    const view = messageView(message, conversation({}), publicUrl);
    expect(Object.keys(view)).not.toContain('hash');
    expect(Object.keys(view)).not.toContain('facts');
    expect(view).toMatchObject({ id: message.id, text: 'Hi', createdBy: agent.user });
  });
});
