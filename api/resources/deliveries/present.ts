import type { DeliveryDocument } from '../../../store/delivery/deliveries.ts';
import type { ListedDelivery } from '../../../store/delivery/find-deliveries.ts';
import type { Resource } from '../../records/resource.ts';
import { shown } from '../../../domain/shown.ts';

const FIELDS = [
  'event',
  'eventId',
  'service',
  'organization',
  'conversation',
  'sequence',
  'status',
  'createdAt',
  'finishedAt',
  'expiresAt',
] as const;

/** A delivery in a list: without the body and what was answered. */
function presentDelivery(delivery: ListedDelivery): Record<string, unknown> {
  const { status, dueAt, retryAt, attempts } = delivery;
  const next = status === 'pending' ? (retryAt ?? dueAt) : undefined;
  return {
    ...shown(delivery, FIELDS),
    ...(next ? { nextAttemptAt: next.toISOString() } : {}),
    attemptCount: attempts.length,
  };
}

/** A delivery by itself: with each attempt, and what is sent. */
function presentWhole(delivery: DeliveryDocument): Record<string, unknown> {
  const attempts = delivery.attempts.map(({ at, ...attempt }) => ({ at: at.toISOString(), ...attempt }));
  return { ...presentDelivery(delivery), attempts, body: JSON.parse(delivery.body) as unknown };
}

const names = { path: '/deliveries', what: 'The delivery' };

export const deliveries: Resource<DeliveryDocument> = { ...names, present: presentWhole };

export const listedDeliveries: Resource<ListedDelivery> = { ...names, present: presentDelivery };
