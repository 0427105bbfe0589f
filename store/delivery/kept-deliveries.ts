import type { DeliveryStatus } from '../../domain/delivery/delivery.ts';
import { deliveryModel } from './deliveries.ts';
import { serviceModel, insertService } from './services.ts';
import { FairScheduler } from '../../platform/concurrency/fair-scheduler.ts';
import {
  assertRoomForPatterns,
  assertRoomForService,
  sharedQuotaPath,
  patternCharacters,
} from '../../domain/delivery/delivery-bounds.ts';
import type { CountedService, Recipient } from '../../domain/delivery/delivery-bounds.ts';
import { subtreeFilter } from '../queries/reach.ts';
import { organizationContext, organizationModel } from '../records/organizations.ts';
import type { ServiceDocument } from './services.ts';

/** Bounds for all services of an organization that are inactive or pulled, together (spec 7.3). */
export interface KeptBounds {
  deliveries: number;
  /** Each delivery counts its part of a shared body. */
  characters: number;
}

export const MAX_KEPT: KeptBounds = { deliveries: 200_000, characters: 2 * 1024 ** 3 };

/** Most important first. */
const KEPT: readonly DeliveryStatus[] = ['pending', 'failed', 'skipped'];

const REMOVED_AT_ONCE = 1_000;

/** Removes the oldest deliveries of each inactive or pulled service above its equal share. */
export async function removeExcessDeliveries(max: KeptBounds = MAX_KEPT): Promise<number> {
  const services = await serviceModel.collection
    .find(
      { $or: [{ status: { $ne: 'active' } }, { 'params.url': { $exists: false } }] },
      { projection: { organization: 1 } },
    )
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

type BoundedService = Pick<ServiceDocument, '_id' | 'organization' | 'params'>;

const registrations = new FairScheduler({ max: 4, maxEach: 1 });

/** Throws DomainError `unprocessable` above the quota of an organization (spec 7.1). */
export async function insertServiceWithinBounds(service: ServiceDocument): Promise<void> {
  const path = await findPath(service);
  await registrations.run(['all', path[1] ?? path[0]], async () => {
    await assertServiceFits(service);
    await insertService(service);
    try {
      // Another process may have stored a service concurrently.
      await assertServiceFits(service);
    } catch (error) {
      await serviceModel.deleteOne({ _id: service._id });
      throw error;
    }
  });
}

async function assertServiceFits(service: BoundedService): Promise<void> {
  const { others, recipients } = await countServices(service);
  assertRoomForService(others, recipients);
  assertRoomForPatterns(countedService(service), others, recipients);
}

/** Throws DomainError `unprocessable` if longer patterns would exceed the quota. */
export async function assertPatternsFit(
  found: BoundedService,
  params: ServiceDocument['params'] | undefined,
): Promise<void> {
  if (!params || patternCharacters(params) <= patternCharacters(found.params)) return;
  const changed = countedService({ ...found, params });
  const { others, recipients } = await countServices(found);
  assertRoomForPatterns(changed, others, recipients);
}

async function countServices(
  service: BoundedService,
): Promise<{ others: CountedService[]; recipients: Recipient[] }> {
  const path = await findPath(service);
  const recipients = path.length > 1 ? await findBelow(path) : [{ path }];
  const counted = new Set([...sharedQuotaPath(path), ...recipients.map((one) => one.path.at(-1) ?? '')]);
  const services = await serviceModel.collection
    .find({ organization: { $in: [...counted] } }, { projection: { organization: 1, 'params.events': 1 } })
    .toArray();
  return { others: services.filter((other) => other._id !== service._id).map(countedService), recipients };
}

async function findPath({ organization }: BoundedService): Promise<[string, ...string[]]> {
  const [first = organization, ...below] = (await organizationContext(organization))?.path ?? [];
  return [first, ...below];
}

async function findBelow(path: [string, ...string[]]): Promise<Recipient[]> {
  const found = await organizationModel.find(subtreeFilter(path), { path: 1 }).lean<{ path: string }[]>();
  return [{ path }, ...found.map((one) => ({ path: one.path.split('#') }))];
}

function countedService({
  organization,
  params,
}: Pick<BoundedService, 'organization' | 'params'>): CountedService {
  return { organization, events: params.events };
}
