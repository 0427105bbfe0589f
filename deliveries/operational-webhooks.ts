import { isSendable } from '../domain/delivery/delivery.ts';
import { toEventSnapshot } from '../domain/events/snapshot.ts';
import { publish } from '../store/delivery/publish.ts';
import type { QueuedDelivery } from '../store/delivery/queue.ts';
import type { ServiceDocument } from '../store/delivery/services.ts';
import type { Attempted } from './attempt.ts';
import type { Subscriber } from './notifications.ts';

/** The event that tells of services which do not take their events. */
const SERVICE_ERROR = 'service.error';

export interface OperationalWebhookDeps {
  publicUrl: string;
  deliveryShards: number;
  notifyDeliveries: Subscriber;
}

export interface ServiceError {
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
