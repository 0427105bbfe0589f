import { unprocessable } from '../refusal.ts';
import type { Subscription } from '../events/subscriptions.ts';

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
  const receiving = services.filter(mayReceiveMessages).length;
  if (messages <= 1 || messages * receiving <= MAX_DELIVERIES) return;
  const most = Math.max(1, Math.floor(MAX_DELIVERIES / receiving));
  throw unprocessable(
    `${messages} messages for ${receiving} webhooks are too many deliveries at once: send at most ${most} messages in a request`,
    'messages',
  );
}

function mayReceiveMessages({ events = [] }: Subscription): boolean {
  return events.length === 0 || events.some((pattern) => /^(message|\*)(\.(create|\*)|$)/.test(pattern));
}
