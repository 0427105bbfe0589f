import { withBodies } from './delivery-bodies.ts';
import { deliveryModel } from './deliveries.ts';
import type { DeliveryDocument } from './deliveries.ts';
import { findPage } from '../queries/listing.ts';
import type { ListQuery, Page } from '../queries/listing.ts';
import { organizationsWithin, visibleOrNull } from '../queries/reach.ts';
import type { Reach } from '../queries/reach.ts';

/** The delivery, if its service is within reach. */
export async function findDelivery(reach: Reach, id: string): Promise<DeliveryDocument | null> {
  return visibleOrNull(reach, await findWholeDelivery(id));
}

/** The delivery with its body, wherever that is stored; null if there is none. */
export async function findWholeDelivery(id: string): Promise<DeliveryDocument | null> {
  const found = await deliveryModel.findById(id).lean<DeliveryDocument>();
  const [whole] = await withBodies(found ? [found] : []);
  return whole ?? null;
}

/** Whether deliveries of an event are there, in whatever state. */
export async function hasDeliveries(eventId: string): Promise<boolean> {
  const ids = { $gte: `${eventId}:`, $lt: `${eventId};` };
  return (await deliveryModel.exists({ _id: ids })) !== null;
}

/** A list shows neither what was sent nor what was answered, which is nearly all of it. */
const HIDDEN = { body: 0, 'attempts.response': 0 } as const;

export type ListedDelivery = Omit<DeliveryDocument, 'body'>;

export async function listDeliveries(reach: Reach, query: ListQuery): Promise<Page<ListedDelivery>> {
  const scope = { organization: { $in: await organizationsWithin(reach) } };
  return findPage(deliveryModel, scope, { ...query, hidden: HIDDEN });
}
