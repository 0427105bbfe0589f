import type { DueDelivery, QueuedDelivery } from '../store/delivery/queue.ts';
import type { HandedOffEvents } from './lane-cache.ts';
import { isSendable } from '../domain/delivery/delivery.ts';
import { toEventSnapshot } from '../domain/events/envelope.ts';
import { publish } from '../store/delivery/publish.ts';
import type { ServiceDocument } from '../store/delivery/services.ts';
import type { Attempted } from './attempt.ts';

/** Receives waiting deliveries. `fresh` has the events that this process has just stored. */
export type Subscriber = (rows: readonly DueDelivery[], fresh?: HandedOffEvents) => void;

/**
 * Notifies the dispatcher of the same process about stored deliveries, so that it need not poll for
 * them.
 */
export interface DeliveryNotifications {
  notify: Subscriber;
  /** Returns the function that unsubscribes. */
  listen: (listener: Subscriber) => () => void;
}

/**
 * Creates in-process notifications. A notice without listener is dropped; the poller finds the
 * deliveries later.
 */
export function createDeliveryNotifications(): DeliveryNotifications {
  const listeners = new Set<Subscriber>();
  return {
    notify(...notice) {
      for (const listener of listeners) listener(...notice);
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

const SERVICE_ERROR = 'service.error';

export interface OperationalWebhookDeps {
  publicUrl: string;
  deliveryShards: number;
  notifyDeliveries: Subscriber;
}

interface ServiceError {
  /** Stable, so that publishing twice delivers once. */
  eventId: string;
  at: Date;
  service: ServiceDocument;
  delivery: Pick<QueuedDelivery, '_id' | 'event'>;
  attempt: Attempted['attempt'];
  reason: string;
}

/**
 * Publishes `service.error` to the other services (spec 7). Ignores failures of `service.error`
 * itself, so that two dead services cannot keep each other busy.
 */
export async function publishServiceError(
  deps: OperationalWebhookDeps,
  { eventId, at: happenedAt, service, delivery, attempt, reason }: ServiceError,
): Promise<void> {
  if (delivery.event === SERVICE_ERROR) return;
  const { outcome, status, at } = attempt;
  const rows = await publish(
    {
      id: eventId,
      name: SERVICE_ERROR,
      timestamp: happenedAt.toISOString(),
      organization: service.organization,
      actor: { id: service._id, kind: 'service' },
      data: {
        service: presentService(service),
        error: {
          reason,
          delivery: delivery._id,
          event: delivery.event,
          outcome,
          at,
          ...(status === undefined ? {} : { status }),
        },
      },
      except: service._id,
    },
    deps,
  );
  deps.notifyDeliveries(rows.filter(isSendable));
}

function presentService(service: ServiceDocument): Record<string, unknown> {
  const { _id: id, organization, name, type, user, params, status, statusReason } = service;
  const { failingSince, verifiedAt } = service;
  return toEventSnapshot('service', {
    id,
    organization,
    name,
    type,
    params,
    status,
    ...(user ? { user } : {}),
    ...(statusReason ? { statusReason } : {}),
    ...(verifiedAt ? { verifiedAt: verifiedAt.toISOString() } : {}),
    ...(failingSince ? { failingSince: failingSince.toISOString() } : {}),
  });
}
