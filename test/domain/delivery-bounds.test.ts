import { expect, test } from 'vitest';
import {
  assertFewDeliveries,
  assertFewDeliveriesOfParts,
  assertSmallEvents,
  mayRepeatMuch,
} from '../../domain/delivery/delivery-bounds.ts';
import type { Subscription } from '../../domain/events/subscriptions.ts';

const services = (count: number, events?: string[]): Subscription[] =>
  Array.from({ length: count }, (_, at) => ({
    ...{ id: String(at), organization: 'o', status: 'failed' as const },
    ...(events ? { events } : {}),
  }));

test.each([
  ['accepts 100 messages for 100 services', 100, services(100), false],
  ['refuses 100 messages for 400 services', 100, services(400, ['message.create']), true],
  ['accepts 25 messages for 400 services', 25, services(400, ['message']), false],
  ['accepts 100 messages for 400 services that get contact events', 100, services(400, ['contact.*']), false],
  ['refuses 100 messages for 400 services that get create events', 100, services(400, ['*.create']), true],
  ['accepts one message for 20,000 services', 1, services(20_000), false],
])('the limit on the deliveries of a post %s', (_, messages, receiving, refused) => {
  const work = () => assertFewDeliveries(messages, receiving);
  if (refused)
    expect(work).toThrow('messages: 100 messages for 400 webhooks are too many deliveries at once');
  else expect(work).not.toThrow();
});

const messages = (count: number, type: 'chat' | 'command' = 'chat') => Array<typeof type>(count).fill(type);
const KIB = 1024;

test.each([
  ['accepts 100 messages in a conversation of 80 KiB', messages(100), 80 * KIB, null],
  ['refuses 100 messages, but not 40, in a conversation of 200 KiB', messages(100), 200 * KIB, 40],
  [
    'refuses 100 commands, but not 25, of two events each, in a conversation of 160 KiB',
    messages(100, 'command'),
    160 * KIB,
    25,
  ],
  ['accepts one message in the largest conversation', messages(1), 384 * KIB, null],
])('the limit on the size of all conversation copies in the events of a post %s', (_, types, bytes, most) => {
  const work = () => assertSmallEvents(types, bytes);
  if (most === null) expect(work).not.toThrow();
  else {
    expect(work).toThrow(`Send at most ${most} messages in a request`);
    expect(() => assertSmallEvents(types.slice(0, most), bytes)).not.toThrow();
    expect(() => assertSmallEvents(types.slice(0, most + 1), bytes)).toThrow('messages: ');
  }
});

test('the size of the conversation is needed only for a post of many messages with a subscribed service', () => {
  expect(mayRepeatMuch(messages(21), services(1))).toBe(false);
  expect(mayRepeatMuch(messages(22), services(1))).toBe(true);
  expect(mayRepeatMuch(messages(100), services(1, ['contact.*']))).toBe(false);
  expect(mayRepeatMuch(messages(100), [])).toBe(false);
});

test.each([
  ['accepts 100 parts of 100 messages for one service', 100, 100, 1, false],
  ['accepts 100 parts of one message for 100 services', 100, 1, 100, false],
  ['refuses 100 parts of 100 messages for two services', 100, 100, 2, true],
])(
  "the limit on the deliveries of one business event's result %s",
  (_, parts, messages, receiving, refused) => {
    const counted = Array.from({ length: parts }, () => ({ messages, services: services(receiving) }));
    const work = () => assertFewDeliveriesOfParts(counted);
    if (refused) expect(work).toThrow('result: must not make more than 10000 deliveries');
    else expect(work).not.toThrow();
  },
);
