import { notFound, unprocessable } from '../../../domain/errors.ts';
import { findDelivery } from '../../../store/delivery/deliveries.ts';
import { redeliver } from '../../../store/delivery/queue.ts';
import { findReceiver } from '../../../store/delivery/service-health.ts';
import type { ServiceDocument } from '../../../store/delivery/services.ts';
import { buildRecordResult } from '../../records/unless-changed.ts';
import type { HandlerResult, ApiRequest } from '../../request.ts';
import { deliveries } from './schema.ts';
import { storeDate } from '../../../store/cluster/clock.ts';

/**
 * POST /deliveries/{id}/retry: the stored body is sent again in its turn, newly signed (spec 7).
 */
export async function retryDelivery({ principal, id }: ApiRequest): Promise<HandlerResult> {
  const delivery = await findDelivery(principal.reach, id);
  if (!delivery) throw notFound('The delivery');
  assertActiveService(await findReceiver(delivery.service));
  return buildRecordResult(deliveries, await redeliver(delivery._id, storeDate()));
}

/**
 * What is sent to a service that is not active would not arrive, or be skipped. Throws DomainError
 * `unprocessable`.
 */
export function assertActiveService(service: ServiceDocument | null): void {
  if (service?.status === 'active') return;
  const state = service ? service.status : 'gone';
  throw unprocessable(`is ${state}: only an active one is sent to, verify it first`, 'service');
}
