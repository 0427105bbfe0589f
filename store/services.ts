import { setTimeout as sleep } from 'node:timers/promises';
import mongoose from 'mongoose';
import type { Registration, ServiceStatus } from '../domain/hearing.ts';
import type { FormerSecret } from '../domain/secret-rotation.ts';
import { briefCache } from './brief-cache.ts';
import { findPage } from './listing.ts';
import type { ListQuery, Page } from './listing.ts';
import { patched } from './patch.ts';
import type { Patch } from './patch.ts';
import { organizationsWithin, visible, visibleAmong } from './reach.ts';
import type { Reach } from './reach.ts';

/** A webhook registration (spec 2.11, contract 7). */
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
  createdBy?: string;
  createdAt: Date;
  updatedAt: Date;
}

/** What a commit keeps of a service: enough to decide what it hears, no url and no secret. */
export type ServiceRegistration = Registration;

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
    createdBy: String,
    createdAt: Date,
    updatedAt: Date,
  },
  { collection: 'services', versionKey: false, minimize: false, strict: true },
);

serviceSchema.index({ organization: 1, status: 1 });

export const serviceModel = mongoose.model('Service', serviceSchema);

// Every commit asks who hears it. What a process remembers is at most this old, and whoever changes a service waits as long.
const REMEMBERED_MS = 250;
const hearers = briefCache({ maxAgeMs: REMEMBERED_MS, most: 10_000, load: loadHearers });

/**
 * The services that may hear events of an organization: `line` holds its id and all above it. What was changed before `updateService`
 * resolved is known to every process: a service that has just become active hears the very next event, whichever process stores it.
 */
export function servicesHearing(line: readonly string[]): Promise<ServiceRegistration[]> {
  return hearers.get(line.join('#'));
}

async function loadHearers(line: string): Promise<ServiceRegistration[]> {
  const found = await serviceModel.collection
    .find(
      { organization: { $in: line.split('#') }, status: { $in: ['active', 'disabled'] } },
      { projection: { organization: 1, status: 1, user: 1, failingSince: 1, 'params.events': 1 } },
    )
    .toArray();
  return (found as unknown as ServiceDocument[]).map(registration);
}

function registration(service: ServiceDocument): ServiceRegistration {
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
  return visible(reach, await serviceModel.findById(id).lean<ServiceDocument>());
}

/** Those of the services that are within reach, in no particular order. */
export async function findServicesByIds(reach: Reach, ids: readonly string[]): Promise<ServiceDocument[]> {
  return visibleAmong(reach, await serviceModel.find({ _id: { $in: [...ids] } }).lean<ServiceDocument[]>());
}

export async function listServices(reach: Reach, query: ListQuery): Promise<Page<ServiceDocument>> {
  return findPage(serviceModel, { organization: { $in: await organizationsWithin(reach) } }, query);
}

export async function insertService(service: ServiceDocument): Promise<void> {
  await serviceModel.create([service]);
}

/** The service as it is then, when every process goes by it; null if there is none within reach. */
export async function updateService(
  reach: Reach,
  id: string,
  patch: Patch<ServiceDocument>,
): Promise<ServiceDocument | null> {
  const service = await findService(reach, id);
  if (!service) return null;
  const updated = await serviceModel
    .findOneAndUpdate({ _id: id, organization: service.organization }, patched(patch), {
      returnDocument: 'after',
    })
    .lean<ServiceDocument>();
  await sleep(REMEMBERED_MS);
  return updated;
}

/** Whether there was one within reach to remove. */
export async function removeService(reach: Reach, id: string): Promise<boolean> {
  const service = await findService(reach, id);
  if (!service) return false;
  const { deletedCount } = await serviceModel.deleteOne({ _id: id, organization: service.organization });
  return deletedCount > 0;
}
