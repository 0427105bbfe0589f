import type { DeliveryDocument } from '../../../store/delivery/deliveries.ts';
import { findDelivery, listDeliveries } from '../../../store/delivery/find-deliveries.ts';
import type { ListedDelivery } from '../../../store/delivery/find-deliveries.ts';
import type { RecordSource } from '../../records/resource.ts';
import { presentRecord } from '../../../domain/shown.ts';
import { deliveryPaths } from './schema.ts';

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
    ...presentRecord(delivery, FIELDS),
    ...(next ? { nextAttemptAt: next.toISOString() } : {}),
    attemptCount: attempts.length,
  };
}

/** A delivery by itself: with each attempt, and what is sent. */
function presentWhole(delivery: DeliveryDocument): Record<string, unknown> {
  const attempts = delivery.attempts.map(({ at, ...attempt }) => ({ at: at.toISOString(), ...attempt }));
  return { ...presentDelivery(delivery), attempts, body: JSON.parse(delivery.body ?? 'null') as unknown };
}

export const deliveries: Pick<RecordSource<DeliveryDocument>, 'name' | 'present' | 'find'> = {
  name: 'deliveries',
  present: presentWhole,
  find: findDelivery,
};

export const listedDeliveries: Pick<RecordSource<ListedDelivery>, 'name' | 'present' | 'paths' | 'list'> = {
  name: 'deliveries',
  present: presentDelivery,
  paths: deliveryPaths,
  list: listDeliveries,
};
