import { unprocessable } from '../refusal.ts';
import type { Subscription } from '../events/subscriptions.ts';
import { SPOKEN_TYPES } from '../messages/message.ts';
import type { MessageType } from '../messages/message.ts';

/**
 * Deliveries that the messages of one request may make. An organization within the bounds of
 * services never exceeds it: 100 messages for its 50 services and 50 of the root.
 */
export const MAX_DELIVERIES = 10_000;

/**
 * Throws DomainError `unprocessable` where the messages of a request would make too many
 * deliveries. A single message is always accepted.
 */
export function assertFewDeliveries(messages: number, services: readonly Subscription[]): void {
  const receiving = countReceiving(services);
  if (messages <= 1 || messages * receiving <= MAX_DELIVERIES) return;
  const most = Math.max(1, Math.floor(MAX_DELIVERIES / receiving));
  throw unprocessable(
    `${messages} messages for ${receiving} webhooks are too many deliveries at once: send at most ${most} messages in a request`,
    'messages',
  );
}

/** Messages of one part of an event's result, and the services of its organization. */
export interface CountedPart {
  messages: number;
  services: readonly Subscription[];
}

/**
 * Throws DomainError `unprocessable` where the parts of an event's result together would make too
 * many deliveries.
 */
export function assertFewDeliveriesOfParts(parts: readonly CountedPart[]): void {
  const deliveries = parts.reduce(
    (sum, { messages, services }) => sum + messages * countReceiving(services),
    0,
  );
  if (deliveries <= MAX_DELIVERIES) return;
  throw unprocessable(
    `must not make more than ${MAX_DELIVERIES} deliveries: its messages, times the webhooks that receive them, make ${deliveries}`,
    'result',
  );
}

/** Bytes of the conversation that the events of one request may repeat, together. */
export const MAX_REPEATED_BYTES = 8 * 1024 * 1024;

/** No conversation has more bytes as an event shows it: its bounds, its results and its links. */
const LARGEST_CONVERSATION = 384 * 1024;

/**
 * Whether the events of messages could repeat too much of a conversation, so that its size has to
 * be known (`assertSmallEvents`).
 */
export function mayRepeatMuch(types: readonly MessageType[], services: readonly Subscription[]): boolean {
  if (types.length <= 1 || countReceiving(services) === 0) return false;
  return countEvents(types) * LARGEST_CONVERSATION > MAX_REPEATED_BYTES;
}

/**
 * Throws DomainError `unprocessable` where the events of a request's messages would repeat too much
 * of the conversation. A body is stored once for all services.
 */
export function assertSmallEvents(types: readonly MessageType[], conversationBytes: number): void {
  const events = countEvents(types);
  if (events * conversationBytes <= MAX_REPEATED_BYTES) return;
  const most = Math.max(1, Math.floor((MAX_REPEATED_BYTES / conversationBytes / events) * types.length));
  throw unprocessable(
    `${types.length} messages are too many at once for webhooks: the event of each repeats the conversation, which has ${Math.ceil(conversationBytes / 1024)} KiB. Send at most ${most} messages in a request`,
    'messages',
  );
}

/** Most messages that are not spoken change the conversation, and so cause a second event. */
function countEvents(types: readonly MessageType[]): number {
  return types.reduce((sum, type) => sum + (SPOKEN_TYPES.includes(type) ? 1 : 2), 0);
}

function countReceiving(services: readonly Subscription[]): number {
  return services.filter(mayReceiveMessages).length;
}

function mayReceiveMessages({ events = [] }: Subscription): boolean {
  return events.length === 0 || events.some((pattern) => /^(message|\*)(\.(create|\*)|$)/.test(pattern));
}
