import type { DeliveryStatus } from '../../domain/delivery/delivery.ts';
import { deliveryModel } from './deliveries.ts';
import { serviceModel } from './services.ts';

/** Deliveries that an organization's services which are not active may keep together (spec 7.3). */
export const MAX_KEPT = 200_000;

/** What is kept of a service that is not active: first what it would still be sent. */
const KEPT: readonly DeliveryStatus[] = ['pending', 'failed', 'skipped'];

/** Deliveries that are removed by one statement. */
const REMOVED_AT_ONCE = 1_000;

/**
 * Removes the oldest deliveries of services that are not active, where those of an organization
 * keep more than `maxKept` together. Each service keeps an equal share. Returns how many were
 * removed.
 */
export async function removeExcessDeliveries(maxKept = MAX_KEPT): Promise<number> {
  const services = await serviceModel.collection
    .find({ status: { $ne: 'active' } }, { projection: { organization: 1 } })
    .toArray();
  const counts = new Map<string, number>();
  for (const { organization } of services) counts.set(organization, (counts.get(organization) ?? 0) + 1);
  let removed = 0;
  for (const { _id, organization } of services) {
    removed += await removeExcessOf(_id, Math.floor(maxKept / (counts.get(organization) ?? 1)));
  }
  return removed;
}

async function removeExcessOf(service: string, share: number): Promise<number> {
  let [room, removed] = [share, 0];
  for (const status of KEPT) {
    const count = await deliveryModel.collection.countDocuments({ service, status });
    if (count > room) removed += await removeOldest({ service, status }, count - room);
    room = Math.max(0, room - count);
  }
  return removed;
}

async function removeOldest(
  those: { service: string; status: DeliveryStatus },
  count: number,
): Promise<number> {
  let left = count;
  while (left > 0) {
    const rows = await deliveryModel.collection
      .find(those, {
        projection: { _id: 1 },
        sort: { createdAt: 1, _id: 1 },
        limit: Math.min(left, REMOVED_AT_ONCE),
      })
      .toArray();
    if (rows.length === 0) break;
    await deliveryModel.collection.deleteMany({ _id: { $in: rows.map(({ _id }) => _id) } });
    left -= rows.length;
  }
  return count - left;
}
