import { notFound, unprocessable } from '../../../domain/errors.ts';
import { findDelivery } from '../../../store/delivery/deliveries.ts';
import { redeliver } from '../../../store/delivery/queue.ts';
import { findReceiver } from '../../../store/delivery/service-health.ts';
import type { ServiceDocument } from '../../../store/delivery/services.ts';
import { buildRecordResult } from '../../records/if-match.ts';
import type { HandlerResult, ApiRequest } from '../../request.ts';
import { deliveries } from './schema.ts';
import { storeDate } from '../../../store/cluster/clock.ts';

/** POST /deliveries/{id}/retry: sends the stored body with a new signature (spec 7). */
export async function retryDelivery({ principal, id }: ApiRequest): Promise<HandlerResult> {
  const delivery = await findDelivery(principal.reach, id);
  if (!delivery) throw notFound('The delivery');
  assertActiveService(await findReceiver(delivery.service));
  return buildRecordResult(deliveries, await redeliver(delivery._id, storeDate()));
}

export function assertActiveService(service: ServiceDocument | null): void {
  if (service?.status === 'active') return;
  const state = service ? service.status : 'gone';
  throw unprocessable(`is ${state}: only an active one is sent to, verify it first`, 'service');
}
