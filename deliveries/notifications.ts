import type { DueDelivery, QueuedDelivery } from '../store/delivery/queue.ts';
import type { HandedOffEvents } from './lane-cache.ts';
import { isSendable } from '../domain/delivery/delivery.ts';
import { toEventSnapshot } from '../domain/events/envelope.ts';
import { publish } from '../store/delivery/publish.ts';
import type { ServiceDocument } from '../store/delivery/services.ts';
import type { Attempted } from './attempt.ts';

/** Hears what is waiting to be sent, and where it was stored just now of which events. */
export type Subscriber = (rows: readonly DueDelivery[], fresh?: HandedOffEvents) => void;

/**
 * How those who store deliveries tell the drain of the same process, so that it need not look for
 * them.
 */
export interface DeliveryNotifications {
  notify: Subscriber;
  /** Calls the listener at every notice; answers how to end that. */
  listen: (listener: Subscriber) => () => void;
}

/**
 * Notices within this process. Without a listener they are lost, which costs a short wait and no
 * delivery.
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

/** The event that tells of services which do not take their events. */
const SERVICE_ERROR = 'service.error';

export interface OperationalWebhookDeps {
  publicUrl: string;
  deliveryShards: number;
  notifyDeliveries: Subscriber;
}

interface ServiceError {
  /** The same again when it is told again. */
  eventId: string;
  /** When it happened. */
  at: Date;
  /** As the service is after it. */
  service: ServiceDocument;
  delivery: Pick<QueuedDelivery, '_id' | 'event'>;
  attempt: Attempted['attempt'];
  reason: string;
}

/**
 * Tells the other services that one gave an event up or is out of use (spec 7). Where that event
 * told of such an error itself, nobody is told: two dead services must not keep each other busy.
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
