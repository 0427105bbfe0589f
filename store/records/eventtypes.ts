import mongoose from 'mongoose';
import { defineModel } from '../connection/model.ts';
import type { SignatureKind } from '../../domain/events/business-event.ts';
import { tenantRecords } from './tenant-records.ts';
import type { TenantDocument } from './tenant-records.ts';

/** Address at which external systems post events (spec 8.9). */
export interface IngestAddress {
  /** Digest of the token. */
  token: string;
  /** Id of the bot as which requests to the address are authenticated. */
  user: string;
  /** Encrypted. */
  secret?: string;
  /** Only set with a secret. */
  signature?: SignatureKind;
  createdBy: string;
  createdAt: Date;
}

/** An event type (spec 4.3). */
export interface EventTypeDocument extends TenantDocument {
  /** Dotted; unique within the organization. */
  name: string;
  description?: string;
  jsonata?: string;
  ingest?: IngestAddress;
}

const { Mixed } = mongoose.Schema.Types;

const eventTypeSchema = new mongoose.Schema<EventTypeDocument>(
  {
    _id: String,
    organization: String,
    name: String,
    description: String,
    jsonata: String,
    ingest: Mixed,
    createdBy: String,
    createdAt: Date,
    updatedAt: Date,
  },
  { collection: 'eventtypes', versionKey: false, minimize: false, strict: true },
);

eventTypeSchema.index({ organization: 1, name: 1 }, { unique: true });
eventTypeSchema.index({ organization: 1, _id: 1 });
eventTypeSchema.index({ 'ingest.token': 1 }, { unique: true, sparse: true });
eventTypeSchema.index({ 'ingest.user': 1 }, { sparse: true });

export const eventTypeModel = defineModel<EventTypeDocument>('EventType', eventTypeSchema);

export const eventTypeRecords = tenantRecords<EventTypeDocument>(eventTypeModel);

/**
 * Returns the event type of the organization nearest to the end of `path`, the tenant path (spec
 * 8.1).
 */
export async function findEventTypeFor(
  path: readonly string[],
  name: string,
): Promise<EventTypeDocument | null> {
  const found = await eventTypeModel
    .find({ organization: { $in: [...path] }, name })
    .lean<EventTypeDocument[]>();
  const near = ({ organization }: EventTypeDocument) => path.indexOf(organization);
  return found.sort((one, other) => near(other) - near(one))[0] ?? null;
}

/** Returns at most 500 names. */
export async function eventTypeNames(organization: string): Promise<string[]> {
  const found = await eventTypeModel
    .find({ organization }, { _id: 0, name: 1 })
    .limit(500)
    .lean<{ name: string }[]>();
  return found.map(({ name }) => name);
}

export async function findByIngestToken(digest: string): Promise<EventTypeDocument | null> {
  return eventTypeModel.findOne({ 'ingest.token': digest }).lean<EventTypeDocument>();
}

/** Returns whether an address existed before. Null removes it. */
export async function setIngest(eventtype: string, ingest: IngestAddress | null): Promise<boolean> {
  const before = await eventTypeModel.collection.findOneAndUpdate(
    { _id: eventtype },
    ingest ? { $set: { ingest } } : { $unset: { ingest: true } },
    { projection: { ingest: 1 } },
  );
  return before?.ingest !== undefined;
}

export async function removeUserIngests(user: string): Promise<void> {
  await eventTypeModel.collection.updateMany({ 'ingest.user': user }, { $unset: { ingest: true } });
}
