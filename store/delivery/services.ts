import { setTimeout as sleep } from 'node:timers/promises';
import mongoose from 'mongoose';
import { defineModel } from '../connection/model.ts';
import type { Subscription, ServiceStatus } from '../../domain/events/subscriptions.ts';
import type { FormerSecret } from '../../domain/delivery/signing-secret.ts';
import { unchangedFilter, toUpdateOperators } from '../queries/patch.ts';
import { ttlCache } from '../queries/ttl-cache.ts';
import { findPage } from '../queries/listing.ts';
import type { ListQuery, Page } from '../queries/listing.ts';
import type { Patch } from '../queries/patch.ts';
import { insertInto } from '../records/organization-removal.ts';
import { organizationContext } from '../records/organizations.ts';
import { organizationsWithin, visibleOrNull, filterVisible } from '../queries/reach.ts';
import type { Reach } from '../queries/reach.ts';
import { newId } from '../queries/identifier.ts';

/** A webhook registration (spec 7.1). */
export interface ServiceDocument {
  _id: string;
  organization: string;
  name: string;
  type: 'webhook';
  /** The bot of a bot webhook. */
  user?: string;
  params: { url: string; secret?: string; events?: string[] };
  /** Recently replaced secrets, latest first. */
  formerSecrets?: FormerSecret[];
  status: ServiceStatus;
  statusReason?: string;
  verifiedAt?: Date;
  /** When the service began to fail. Absent while it accepts deliveries. */
  failingSince?: Date;
  /** Failed deliveries since then. */
  failedEvents?: number;
  /** When it accepted the first delivery after its last verification. */
  answeredAt?: Date;
  /** Disabled by an admin. Its deliveries stay pending. */
  paused?: true;
  /** Set when deliveries may be held. The value changes whenever more may be held. */
  heldBack?: string;
  /** Deadline of the verification. After it another worker may take over. */
  verifyBy?: Date;
  createdBy?: string;
  createdAt: Date;
  updatedAt: Date;
}

/** The part of a service that a commit stores: enough to select events, without url and secret. */
export type ServiceSubscription = Subscription;

const { Mixed } = mongoose.Schema.Types;

const serviceSchema = new mongoose.Schema<ServiceDocument>(
  {
    _id: String,
    organization: String,
    name: String,
    type: String,
    user: String,
    params: Mixed,
    formerSecrets: [Mixed],
    status: String,
    statusReason: String,
    verifiedAt: Date,
    failingSince: Date,
    failedEvents: Number,
    answeredAt: Date,
    paused: Boolean,
    heldBack: String,
    verifyBy: Date,
    createdBy: String,
    createdAt: Date,
    updatedAt: Date,
  },
  { collection: 'services', versionKey: false, minimize: false, strict: true },
);

serviceSchema.index({ organization: 1, status: 1 });
serviceSchema.index({ heldBack: 1 }, { sparse: true });
serviceSchema.index({ verifyBy: 1 }, { sparse: true });
serviceSchema.index({ user: 1 }, { sparse: true });

export const serviceModel = defineModel<ServiceDocument>('Service', serviceSchema);

/**
 * Maximum age of cached services: every commit looks up subscribers and every attempt its service.
 * A process that changes a service waits for this time.
 */
export const SUBSCRIBER_CACHE_MS = 250;
const subscriberCache = ttlCache({ maxAgeMs: SUBSCRIBER_CACHE_MS, max: 10_000, load: loadSubscribers });

/**
 * Returns the possible subscribers of an organization's events in any status. `line` is the tenant
 * path. Every process sees changes whose `updateService` or `waitForCacheExpiry` has resolved, so a
 * new service receives the very next event.
 */
export function findSubscribers(line: readonly string[]): Promise<ServiceSubscription[]> {
  return subscriberCache.get(line.join('#'));
}

/** Returns the possible subscribers of an organization's events. Looks up the tenant path. */
export async function findOrganizationSubscribers(organization: string): Promise<ServiceSubscription[]> {
  const line = await organizationContext(organization);
  return findSubscribers(line?.path ?? [organization]);
}

async function loadSubscribers(line: string): Promise<ServiceSubscription[]> {
  const found = await serviceModel.collection
    .find(
      { organization: { $in: line.split('#') } },
      { projection: { organization: 1, status: 1, user: 1, failingSince: 1, 'params.events': 1 } },
    )
    .toArray();
  return found.map(toSubscription);
}

function toSubscription(service: ServiceDocument): ServiceSubscription {
  const { _id: id, organization, status, user, failingSince, params } = service;
  return {
    id,
    organization,
    status,
    ...(user ? { user } : {}),
    ...(failingSince ? { failing: true } : {}),
    ...(params.events ? { events: params.events } : {}),
  };
}

export async function findService(reach: Reach, id: string): Promise<ServiceDocument | null> {
  return visibleOrNull(reach, await serviceModel.findById(id).lean<ServiceDocument>());
}

/** Returns a bot's oldest webhook. */
export async function findBotService(bot: string): Promise<ServiceDocument | null> {
  return serviceModel.findOne({ user: bot }).sort({ _id: 1 }).lean<ServiceDocument>();
}

/** Returns the services within reach, in no particular order. */
export async function findServicesByIds(reach: Reach, ids: readonly string[]): Promise<ServiceDocument[]> {
  return filterVisible(reach, await serviceModel.find({ _id: { $in: [...ids] } }).lean<ServiceDocument[]>());
}

export async function listServices(reach: Reach, query: ListQuery): Promise<Page<ServiceDocument>> {
  return findPage(serviceModel, { organization: { $in: await organizationsWithin(reach) } }, query);
}

/** Throws DomainError `forbidden` if the organization is removed concurrently. */
export async function insertService(service: ServiceDocument): Promise<void> {
  const { _id, organization } = service;
  await insertInto(organization, () => serviceModel.create([service]), {
    takeBack: () => serviceModel.deleteOne({ _id, organization }),
  });
}

/** Resolves when every process sees earlier changes of services. */
export function waitForCacheExpiry(): Promise<void> {
  return sleep(SUBSCRIBER_CACHE_MS);
}

/**
 * Updates a service and returns it once every process sees the change. Returns null if it is not
 * within reach, if its url or status differs from `found`, or if any field differs from `seen`.
 */
export async function updateService(
  reach: Reach,
  found: Pick<ServiceDocument, '_id' | 'status' | 'params'>,
  patch: Patch<ServiceDocument>,
  seen?: ServiceDocument,
): Promise<ServiceDocument | null> {
  const service = await findService(reach, found._id);
  if (!service) return null;
  const { organization } = service;
  const same = {
    _id: found._id,
    organization,
    status: found.status,
    'params.url': found.params.url,
    ...unchangedFilter(serviceModel, seen),
  };
  const updated = await serviceModel
    .findOneAndUpdate(same, toUpdateOperators(patch), { returnDocument: 'after' })
    .lean<ServiceDocument>();
  if (updated) await waitForCacheExpiry();
  return updated;
}

/** Returns false if no such service is within reach or it differs from `seen`. */
export async function removeService(reach: Reach, id: string, seen?: ServiceDocument): Promise<boolean> {
  const service = await findService(reach, id);
  if (!service) return false;
  const same = { _id: id, organization: service.organization, ...unchangedFilter(serviceModel, seen) };
  const { deletedCount } = await serviceModel.deleteOne(same);
  return deletedCount > 0;
}

/** An active service for which deliveries may be held. */
export interface ReleaseMark {
  service: string;
  /** Changes whenever more deliveries may be held. */
  heldBack: string;
}

/**
 * Returns a new mark for a service that becomes active or may have held deliveries. A worker then
 * releases the deliveries.
 */
export function newReleaseMark(): Pick<ServiceDocument, 'heldBack'> & { heldBack: string } {
  return { heldBack: newId() };
}

/** Records that a service may have held deliveries. */
export async function noteHeldBack(service: string): Promise<void> {
  await serviceModel.collection.updateOne({ _id: service }, { $set: newReleaseMark() });
}

/**
 * Marks the active ones of these services so that a worker releases their held deliveries. Call it
 * after holding deliveries.
 */
export async function markForRelease(services: readonly string[]): Promise<void> {
  const active = await serviceModel.collection
    .find({ _id: { $in: [...services] }, status: 'active' }, { projection: { _id: 1 } })
    .toArray();
  for (const { _id } of active) await noteHeldBack(_id);
}

/** Returns the active services that may have held deliveries. */
export async function findServicesToRelease(): Promise<ReleaseMark[]> {
  const found = await serviceModel.collection
    .find({ heldBack: { $exists: true }, status: 'active' }, { projection: { heldBack: 1 } })
    .toArray();
  return found.map(({ _id, heldBack }) => ({ service: _id, heldBack: String(heldBack) }));
}

/** Clears the mark of a service unless more deliveries may have been held since. */
export async function clearReleaseMark({ service, heldBack }: ReleaseMark): Promise<void> {
  await serviceModel.collection.updateOne(
    { _id: service, heldBack, status: 'active' },
    { $unset: { heldBack: '' } },
  );
}
