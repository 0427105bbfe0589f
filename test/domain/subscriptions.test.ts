import { describe, expect, test } from 'vitest';
import { isSubscribed, narrowedSubscriptions, SERVICE_STATUSES } from '../../domain/events/subscriptions.ts';
import type { Audience, Subscription } from '../../domain/events/subscriptions.ts';

const LINE = ['root', 'middle', 'leaf'];
const chat = { name: 'message.create.contact.chat', role: 'contact' };

const general: Subscription = { id: 's1', organization: 'middle', status: 'active' };
const ofBot: Subscription = { ...general, id: 's2', user: 'bot' };

const audience = (fields: Partial<Audience> = {}): Audience => ({
  participants: [],
  mentioned: [],
  addressed: false,
  author: 'somebody',
  ...fields,
});

describe('a general webhook', () => {
  test('a general webhook receives events of its organization and the descendants, but not of ancestors or siblings', () => {
    expect(isSubscribed(general, chat, { line: LINE })).toBe(true);
    expect(isSubscribed(general, chat, { line: ['root', 'middle'] })).toBe(true);
    expect(isSubscribed(general, chat, { line: ['root'] })).toBe(false);
    expect(isSubscribed(general, chat, { line: ['root', 'beside', 'leaf'] })).toBe(false);
  });

  test('a general webhook receives all events if `events` is missing or empty, and otherwise only the named events', () => {
    expect(isSubscribed({ ...general, events: [] }, chat, { line: LINE })).toBe(true);
    expect(isSubscribed({ ...general, events: ['user', 'message.*'] }, chat, { line: LINE })).toBe(true);
    expect(isSubscribed({ ...general, events: ['user', 'message.update'] }, chat, { line: LINE })).toBe(
      false,
    );
  });

  test('a general webhook subscribes in every status: its events wait until the service is active', () => {
    for (const status of SERVICE_STATUSES) {
      expect(isSubscribed({ ...general, status }, chat, { line: LINE })).toBe(true);
    }
  });
});

describe('a bot webhook', () => {
  test('a bot webhook receives a chat message only if the bot takes part in the conversation or is mentioned', () => {
    expect(isSubscribed(ofBot, chat, { line: LINE, audience: audience() })).toBe(false);
    expect(isSubscribed(ofBot, chat, { line: LINE, audience: audience({ participants: ['bot'] }) })).toBe(
      true,
    );
    expect(isSubscribed(ofBot, chat, { line: LINE, audience: audience({ mentioned: ['bot'] }) })).toBe(true);
  });

  test('a bot webhook receives commands addressed to bots in its organization and the descendants', () => {
    const addressed = audience({ addressed: true });
    expect(isSubscribed(ofBot, chat, { line: LINE, audience: addressed })).toBe(true);
    expect(isSubscribed(ofBot, chat, { line: ['root'], audience: addressed })).toBe(false);
  });

  test('a bot webhook never receives messages of its bot, even if they mention the bot', () => {
    const own = audience({ participants: ['bot'], mentioned: ['bot'], addressed: true, author: 'bot' });
    expect(isSubscribed(ofBot, chat, { line: LINE, audience: own })).toBe(false);
  });

  test('a bot webhook receives no events outside conversations', () => {
    expect(isSubscribed(ofBot, { name: 'user.create' }, { line: LINE })).toBe(false);
  });
});

describe('the subscriptions stored with a commit', () => {
  const events = [chat, { name: 'conversation.update', conversationType: 'contact' }, chat];

  test('the subscriptions stored with a commit are the services that match one of its events, each with its first matching pattern for each event', () => {
    const services: Subscription[] = [
      { ...general, id: 'all' },
      { ...general, id: 'none', events: ['contact', 'user.login'] },
      { ...general, id: 'some', events: ['user', 'message.update', 'message', 'message.create', '*.update'] },
    ];
    expect(narrowedSubscriptions(services, events)).toEqual([
      { ...general, id: 'all' },
      { ...general, id: 'some', events: ['message', '*.update'] },
    ]);
  });

  test('the subscriptions stored with a commit stay below 1 MiB for 5,000 services with a hundred patterns each', () => {
    const patterns = Array.from({ length: 100 }, () => 'message.create.contact.chat.contact');
    const services = Array.from({ length: 5_000 }, (_, at) => {
      return { ...general, id: String(at).padStart(24, '0'), organization: '0'.repeat(24), events: patterns };
    });
    const many = Array.from({ length: 300 }, () => chat);
    expect(JSON.stringify(narrowedSubscriptions(services, many)).length).toBeLessThan(1024 * 1024);
  });
});
