import { expect, test } from 'vitest';
import { assertFewDeliveries } from '../../domain/delivery/delivery-bounds.ts';
import type { Subscription } from '../../domain/events/subscriptions.ts';

const services = (count: number, events?: string[]): Subscription[] =>
  Array.from({ length: count }, (_, at) => ({
    ...{ id: String(at), organization: 'o', status: 'failed' as const },
    ...(events ? { events } : {}),
  }));

test.each([
  ['100 messages for all services that can be registered', 100, services(100), false],
  ['100 messages for 400 services of an earlier release', 100, services(400, ['message.create']), true],
  ['25 messages for those 400', 25, services(400, ['message']), false],
  ['100 messages for 400 services that receive other events', 100, services(400, ['contact.*']), false],
  ['100 messages for 400 services that receive any created record', 100, services(400, ['*.create']), true],
  ['one message for 20,000 services', 1, services(20_000), false],
])('counts the deliveries of %s', (_, messages, receiving, refused) => {
  const work = () => assertFewDeliveries(messages, receiving);
  if (refused)
    expect(work).toThrow('messages: 100 messages for 400 webhooks are too many deliveries at once');
  else expect(work).not.toThrow();
});
