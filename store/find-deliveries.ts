import { deliveryModel } from './deliveries.ts';
import type { DeliveryDocument } from './deliveries.ts';
import { findPage } from './listing.ts';
import type { ListQuery, Page } from './listing.ts';
import { organizationsWithin, visible } from './reach.ts';
import type { Reach } from './reach.ts';

/** The delivery, if its service is within reach. */
export async function findDelivery(reach: Reach, id: string): Promise<DeliveryDocument | null> {
  return visible(reach, await deliveryModel.findById(id).lean<DeliveryDocument>());
}

export async function listDeliveries(reach: Reach, query: ListQuery): Promise<Page<DeliveryDocument>> {
  return findPage(deliveryModel, { organization: { $in: await organizationsWithin(reach) } }, query);
}
