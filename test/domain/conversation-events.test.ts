import { describe, expect, test } from 'vitest';
import { conversationEvents } from '../../domain/events/conversation-events.ts';
import { newConversation } from '../../domain/conversations/conversation.ts';
import { decideAmend, decidePost } from '../../domain/conversations/decide.ts';
import { deliveryRows, computeShard } from '../../domain/delivery/delivery.ts';
import { envelope } from '../../domain/events/envelope.ts';
import { jsonBytes } from '../../domain/free-form.ts';
import type { MessageView } from '../../domain/events/view.ts';
import {
  agent,
  bot,
  contact,
  conversation,
  draft,
  deepFreeze,
  NOW,
  ORGANIZATION,
  post,
  postAll,
} from '../support/conversations.ts';

const context = {
  publicUrl: 'https://parlance.example',
  links: { whatsapp: 'https://wa.example/{slug}?again={slug}' },
};

const active = { id: 's'.repeat(24), organization: ORGANIZATION, status: 'active' } as const;

describe('the events of a conversation', () => {
  test('the events of a conversation are numbered after the last event, and one commit always yields the same events', () => {
    const base = deepFreeze(conversation({ eventSequence: 7 }));
    const { changes } = post(base, contact, { text: 'Hi', role: 'contact' });
    const events = conversationEvents({ base, changes }, context);
    const again = conversationEvents(JSON.parse(JSON.stringify({ base, changes })), context);
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, at) => 8 + at));
    expect(events.map((event) => envelope(event))).toEqual(again.map((event) => envelope(event)));
    expect(events[0]).toMatchObject({
      id: `${changes[0]!.id}-1`,
      name: 'message.create.bot.chat',
      role: 'contact',
      timestamp: NOW,
      organization: ORGANIZATION,
      conversation: base.id,
    });
  });

  test('the events of a new conversation begin with conversation.create', () => {
    const seed = {
      id: 'c'.repeat(24),
      slug: 'slug',
      organization: ORGANIZATION,
      createdBy: bot.user,
      createdAt: NOW,
      type: 'contact' as const,
    };
    const messages = [draft(bot, { text: 'Hello' })];
    const { changes } = decidePost(
      null,
      { caller: bot, messages, create: seed },
      { now: NOW, findKnown: () => undefined },
    );
    const events = conversationEvents({ base: newConversation(seed), changes }, context);
    expect(events[0]).toMatchObject({ name: 'conversation.create', sequence: 1 });
    expect(events[1]).toMatchObject({ name: 'message.create.contact.chat', sequence: 2 });
  });

  test('each event of a conversation shows the conversation as of the message of that event, not as of the last message, and an update has the previous values', () => {
    const base = conversation({ name: 'Before' });
    const { changes } = postAll(base, agent, [
      draft(agent, { text: 'First' }),
      draft(agent, { type: 'command', text: '/set name After' }),
      draft(agent, { text: 'Last' }),
    ]);
    const events = conversationEvents({ base, changes }, context);
    const updates = events.filter(({ name }) => name === 'conversation.update');
    expect(updates.map((event) => envelope(event).data['previous'])).toEqual([
      { participants: [], lastMessageAt: base.lastMessageAt },
      { name: 'Before' },
    ]);
    const messages = events
      .filter(({ name }) => name.startsWith('message.'))
      .map((event) => envelope(event).data as { message: MessageView; conversation: { name: string } });
    expect(messages.map(({ message, conversation: { name } }) => [message.text, name])).toEqual([
      ['First', 'Before'],
      ['/set name After', 'After'],
      ['Last', 'After'],
    ]);
  });

  test('the events of a conversation contain message, conversation, links and an activity, and no internal fields', () => {
    const base = conversation();
    const { changes } = post(base, contact, { text: 'Hi', role: 'contact' });
    const body = envelope(conversationEvents({ base, changes }, context)[0]!);
    expect(body.data).toMatchObject({
      message: { text: 'Hi', sequence: 1, conversation: base.id, url: expect.stringContaining('/c/') },
      conversation: { id: base.id, results: [] },
      links: {
        web: `https://parlance.example/c/${base.slug}`,
        whatsapp: `https://wa.example/${base.slug}?again=${base.slug}`,
      },
    });
    for (const inner of ['messages', 'version', 'eventSequence', 'pending', 'loops']) {
      expect(body.data['conversation']).not.toHaveProperty(inner);
    }
    expect(body.data['message']).not.toHaveProperty('facts');
    expect(body.activity).toEqual({
      '@context': 'https://www.w3.org/ns/activitystreams',
      type: 'Create',
      actor: { type: 'Person', id: `https://parlance.example/v2/contacts/${contact.user}` },
      object: {
        type: 'Note',
        id: `https://parlance.example/v2/messages/${changes[0]!.id}`,
        url: expect.stringContaining(base.slug),
        content: 'Hi',
        mediaType: 'text/plain',
      },
      published: NOW,
      summary: 'The contact created a message.',
    });
  });

  test('the events of a conversation list each completion of a form once, even if the completion is already stored', () => {
    const base = conversation();
    const result = { message: 'm', form: 'f', name: 'Form' };
    const earlier = { message: 'e', form: 'f', name: 'Form' };
    const { changes } = decideAmend(base, {
      id: 'x',
      by: agent.user,
      effects: [{ kind: 'result', result }],
      now: NOW,
    });
    for (const results of [[earlier], [earlier, result]]) {
      const [event] = conversationEvents({ base, changes }, { ...context, results });
      expect(event?.data()['conversation']).toMatchObject({ results: [earlier, result] });
    }
  });
});

describe('the completed forms in events', () => {
  test('the completed forms in events are limited to the latest 64 KiB, even if one request completes more', () => {
    const base = conversation();
    const results = Array.from({ length: 100 }, (_, at) => ({ form: `f${at}`, formName: 'x'.repeat(60) }));
    const given = Array.from({ length: 1_000 }, (_, at) => ({
      ...{ message: 'earlier', form: `e${at}`, name: '\u{1F600}'.repeat(200) },
    }));
    const { changes } = postAll(
      base,
      agent,
      Array.from({ length: 100 }, () => draft(agent, { type: 'results', results })),
    );
    const shown = conversationEvents({ base, changes }, { ...context, results: given }).map(
      (event) => (event.data()['conversation'] as { results: { form: string }[] }).results,
    );
    for (const one of shown) expect(jsonBytes(one)).toBeLessThanOrEqual(64 * 1024);
    expect(shown.at(-1)?.length).toBeGreaterThan(300);
    expect(shown.at(-1)?.at(-1)?.form).toBe('f99');
  });
});

describe('the contact in events', () => {
  const base = conversation();
  const texts = ['.name Ada', 'Hi', '.address.city London', '.name', '.address.city'];
  const { changes } = postAll(
    base,
    agent,
    texts.map((text) => draft(agent, { text, ...(text.startsWith('.') ? { type: 'field' } : {}) })),
  );
  const profile = { name: 'A.', email: 'ada@example.com', address: { street: 'Main 1' } };
  const known = { id: base.contact, profile: { email: 'other@example.com' } };
  const updates = (more: object) =>
    conversationEvents({ base, changes }, { ...context, ...more })
      .filter(({ name }) => name === 'contact.update')
      .map((event) => envelope(event).data);
  const told = (more: object) => updates(more).map((data) => data['contact']);
  const previous = (more: object) => updates(more).map((data) => data['previous']);

  test('the contact in events is shown as of each change, and in the last event as stored', () => {
    expect(told({ contact: known, profile })).toEqual([
      { ...known, profile: { ...profile, name: 'Ada' } },
      { ...known, profile: { ...profile, name: 'Ada', address: { street: 'Main 1', city: 'London' } } },
      { ...known, profile: { email: profile.email, address: { street: 'Main 1', city: 'London' } } },
      known,
    ]);
    expect(profile).toEqual({ name: 'A.', email: 'ada@example.com', address: { street: 'Main 1' } });
  });

  test('the contact in events is shown as stored if the commit does not contain the profile from before the changes', () => {
    expect(told({ contact: known })).toEqual([known, known, known, known]);
    expect(previous({ contact: known })).toEqual([undefined, undefined, undefined, undefined]);
  });

  test('the contact in events has the profile before each change as its previous value', () => {
    expect(previous({ contact: known, profile })).toEqual(
      [
        profile,
        { ...profile, name: 'Ada' },
        { ...profile, name: 'Ada', address: { street: 'Main 1', city: 'London' } },
        { email: profile.email, address: { street: 'Main 1', city: 'London' } },
      ].map((before) => ({ profile: before })),
    );
  });
});

describe('delivery rows', () => {
  test('delivery rows have the same body for all subscribers, a lane per service, and a status that depends on the status of the service', () => {
    const base = conversation();
    const { changes } = post(base, contact, { text: 'Hi', role: 'contact' });
    const events = conversationEvents({ base, changes }, context).slice(0, 1);
    const services = [
      active,
      { ...active, id: 'd'.repeat(24), status: 'disabled' as const },
      { ...active, id: 'f'.repeat(24), status: 'failed' as const },
      { ...active, id: 'u'.repeat(24), events: ['user.*'] },
    ];
    const rows = events.flatMap((event) =>
      deliveryRows(event, { services, line: [ORGANIZATION], shards: 16 }),
    );
    expect(rows.map(({ service, status, held }) => [service, status, held])).toEqual([
      [active.id, 'pending', undefined],
      ['d'.repeat(24), 'skipped', undefined],
      ['f'.repeat(24), 'pending', true],
    ]);
    expect(rows[0]).toMatchObject({
      _id: `${events[0]!.id}:${active.id}`,
      event: 'message.create.bot.chat',
      eventId: events[0]!.id,
      lane: `${active.id}:${base.id}`,
      shard: computeShard(active.id, 16),
      conversation: base.id,
      createdAt: NOW,
    });
    expect(rows[1]?.body).toBe(rows[0]?.body);
    expect(JSON.parse(rows[0]!.body)).toMatchObject({ id: events[0]!.id, event: 'message.create.bot.chat' });
  });

  test('delivery rows are not built for events without a subscriber', () => {
    const base = conversation();
    const { changes } = post(base, contact, { text: 'Hi', role: 'contact' });
    const events = conversationEvents({ base, changes }, context).map((event) => ({
      ...event,
      data: () => {
        throw new Error('built');
      },
    }));
    const services = [{ ...active, events: ['user.*'] }];
    expect(
      events.flatMap((event) => deliveryRows(event, { services, line: [ORGANIZATION], shards: 16 })),
    ).toEqual([]);
  });

  test('delivery rows are distributed evenly over the shards by service', () => {
    const counts = new Map<number, number>();
    for (let at = 0; at < 1_600; at++) {
      const shard = computeShard((0x65f0_0000_0000 + at * 0x10001).toString(16).padEnd(24, '7'), 16);
      counts.set(shard, (counts.get(shard) ?? 0) + 1);
    }
    expect(counts.size).toBe(16);
    for (const count of counts.values()) expect(count).toBeGreaterThan(50);
  });
});
