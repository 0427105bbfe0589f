import type { DeliveryStatus } from '../../domain/delivery/delivery.ts';
import { deliveryModel } from './deliveries.ts';
import { serviceModel } from './services.ts';

/** Bounds of the deliveries that inactive services of an organization keep together (spec 7.3). */
export interface KeptBounds {
  deliveries: number;
  /** Characters of the bodies. A body that is stored once is counted once. */
  characters: number;
}

export const MAX_KEPT: KeptBounds = { deliveries: 200_000, characters: 2 * 1024 ** 3 };

/** What is kept of a service that is not active: first what it would still be sent. */
const KEPT: readonly DeliveryStatus[] = ['pending', 'failed', 'skipped'];

/** Deliveries that are removed by one statement. */
const REMOVED_AT_ONCE = 1_000;

/**
 * Removes the oldest deliveries of services that are not active, where those of an organization
 * keep more than `max` together. Each service keeps an equal share. Returns how many were removed.
 */
export async function removeExcessDeliveries(max: KeptBounds = MAX_KEPT): Promise<number> {
  const services = await serviceModel.collection
    .find({ status: { $ne: 'active' } }, { projection: { organization: 1 } })
    .toArray();
  const counts = new Map<string, number>();
  for (const { organization } of services) counts.set(organization, (counts.get(organization) ?? 0) + 1);
  let removed = 0;
  for (const { _id, organization } of services) {
    const sharing = counts.get(organization) ?? 1;
    removed += await removeServiceExcess(_id, {
      deliveries: Math.floor(max.deliveries / sharing),
      characters: Math.floor(max.characters / sharing),
    });
  }
  return removed;
}

async function removeServiceExcess(service: string, share: KeptBounds): Promise<number> {
  let room = share;
  let count = 0;
  for (const status of KEPT) {
    const kept = await measure({ service, status });
    const removed = await removeOldest({ service, status }, subtract(kept, room));
    room = subtract(room, subtract(kept, removed));
    count += removed.deliveries;
  }
  return count;
}

type DeliveryGroup = { service: string; status: DeliveryStatus };

async function measure(those: DeliveryGroup): Promise<KeptBounds> {
  const [found] = await deliveryModel.collection
    .aggregate<KeptBounds>([
      { $match: those },
      { $group: { _id: null, deliveries: { $sum: 1 }, characters: { $sum: '$size' } } },
    ])
    .toArray();
  return { deliveries: found?.deliveries ?? 0, characters: found?.characters ?? 0 };
}

function subtract(from: KeptBounds, what: KeptBounds): KeptBounds {
  return {
    deliveries: Math.max(0, from.deliveries - what.deliveries),
    characters: Math.max(0, from.characters - what.characters),
  };
}

/** Removes the oldest deliveries until `excess` is reached. Returns the sum of the removed ones. */
async function removeOldest(those: DeliveryGroup, excess: KeptBounds): Promise<KeptBounds> {
  const removed = { deliveries: 0, characters: 0 };
  const isEnough = () => removed.deliveries >= excess.deliveries && removed.characters >= excess.characters;
  while (!isEnough()) {
    const rows = await deliveryModel.collection
      .find(those, {
        projection: { size: 1 },
        sort: { createdAt: 1, _id: 1 },
        limit: REMOVED_AT_ONCE,
      })
      .toArray();
    const ids: string[] = [];
    for (const { _id, size } of rows) {
      if (isEnough()) break;
      ids.push(_id);
      removed.deliveries += 1;
      removed.characters += size;
    }
    if (ids.length === 0) break;
    await deliveryModel.collection.deleteMany({ _id: { $in: ids } });
  }
  return removed;
}
