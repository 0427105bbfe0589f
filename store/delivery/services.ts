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
  /** Secrets that were replaced a short while ago, the latest first. */
  formerSecrets?: FormerSecret[];
  status: ServiceStatus;
  statusReason?: string;
  verifiedAt?: Date;
  /** Since when no delivery has succeeded; absent while all is well. */
  failingSince?: Date;
  /** Deliveries that were given up since then. */
  failedEvents?: number;
  /** When it first took a delivery since it was last verified. */
  answeredAt?: Date;
  /** An admin has disabled it: what waits goes on waiting. */
  paused?: true;
  /** Deliveries may be held back for it; another text each time that there may be more. */
  heldBack?: string;
  /** Whoever verifies it has ended by then, or has died and somebody else does it. */
  verifyBy?: Date;
  createdBy?: string;
  createdAt: Date;
  updatedAt: Date;
}

/** What a commit keeps of a service: enough to decide what it hears, no url and no secret. */
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
 * Every commit asks who hears it, and every attempt where it goes. What a process remembers of
 * services is at most this old, and whoever changes one waits as long.
 */
export const SUBSCRIBER_CACHE_MS = 250;
const subscriberCache = ttlCache({ maxAgeMs: SUBSCRIBER_CACHE_MS, max: 10_000, load: loadSubscribers });

/**
 * The services that may hear events of an organization, whatever their status: `line` holds its id
 * and all above it. What was changed before `updateService` or `untilKnown` resolved is known to
 * every process: a new service hears the very next event, whichever process stores it.
 */
export function findSubscribers(line: readonly string[]): Promise<ServiceSubscription[]> {
  return subscriberCache.get(line.join('#'));
}

/** The same for an organization whose line is looked up. */
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

/** A bot's oldest webhook; null where it has none. */
export async function findBotService(bot: string): Promise<ServiceDocument | null> {
  return serviceModel.findOne({ user: bot }).sort({ _id: 1 }).lean<ServiceDocument>();
}

/** Those of the services that are within reach, in no particular order. */
export async function findServicesByIds(reach: Reach, ids: readonly string[]): Promise<ServiceDocument[]> {
  return filterVisible(reach, await serviceModel.find({ _id: { $in: [...ids] } }).lean<ServiceDocument[]>());
}

export async function listServices(reach: Reach, query: ListQuery): Promise<Page<ServiceDocument>> {
  return findPage(serviceModel, { organization: { $in: await organizationsWithin(reach) } }, query);
}

/** Throws DomainError `forbidden` where the organization is removed at the same time. */
export async function insertService(service: ServiceDocument): Promise<void> {
  const { _id, organization } = service;
  await insertInto(organization, () => serviceModel.create([service]), {
    takeBack: () => serviceModel.deleteOne({ _id, organization }),
  });
}

/** Resolves when every process goes by what was stored of services before. */
export function waitForCacheExpiry(): Promise<void> {
  return sleep(SUBSCRIBER_CACHE_MS);
}

/**
 * The service as it is then, when every process goes by it; null if there is none within reach, or
 * none any more that is as it was `found`: of the same url and status, and in every field as it was
 * `seen`.
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

/**
 * Whether there was one within reach to remove that is, where that is asked for, as it was `seen`.
 */
export async function removeService(reach: Reach, id: string, seen?: ServiceDocument): Promise<boolean> {
  const service = await findService(reach, id);
  if (!service) return false;
  const same = { _id: id, organization: service.organization, ...unchangedFilter(serviceModel, seen) };
  const { deletedCount } = await serviceModel.deleteOne(same);
  return deletedCount > 0;
}

/** An active service for which deliveries may be held back. */
export interface ReleaseMark {
  service: string;
  /** Another one each time that there may be more. */
  heldBack: string;
}

/**
 * What is written with a service that becomes active, or may have deliveries held back: whoever
 * sends for it calls them in.
 */
export function newReleaseMark(): Pick<ServiceDocument, 'heldBack'> & { heldBack: string } {
  return { heldBack: newId() };
}

/** Notes that deliveries of a service may be held back. */
export async function noteHeldBack(service: string): Promise<void> {
  await serviceModel.collection.updateOne({ _id: service }, { $set: newReleaseMark() });
}

/**
 * Has what is held back for those of the services called in that are active. Call after holding
 * something back.
 */
export async function markForRelease(services: readonly string[]): Promise<void> {
  const active = await serviceModel.collection
    .find({ _id: { $in: [...services] }, status: 'active' }, { projection: { _id: 1 } })
    .toArray();
  for (const { _id } of active) await noteHeldBack(_id);
}

/** The active services for which deliveries may be held back. */
export async function findServicesToRelease(): Promise<ReleaseMark[]> {
  const found = await serviceModel.collection
    .find({ heldBack: { $exists: true }, status: 'active' }, { projection: { heldBack: 1 } })
    .toArray();
  return found.map(({ _id, heldBack }) => ({ service: _id, heldBack: String(heldBack) }));
}

/** Notes that nothing is held back any more for a service, unless there may be more since then. */
export async function clearReleaseMark({ service, heldBack }: ReleaseMark): Promise<void> {
  await serviceModel.collection.updateOne(
    { _id: service, heldBack, status: 'active' },
    { $unset: { heldBack: '' } },
  );
}
