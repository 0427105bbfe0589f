import mongoose from 'mongoose';
import { defineModel } from '../connection/model.ts';
import { tenantRecords } from './tenant-records.ts';
import type { TenantDocument } from './tenant-records.ts';

/** An event type's document (spec 4.3). */
export interface EventTypeDocument extends TenantDocument {
  /** Dotted; unique in the organization. */
  name: string;
  description?: string;
  /** The expression that turns a business event into messages. */
  jsonata?: string;
}

const eventTypeSchema = new mongoose.Schema<EventTypeDocument>(
  {
    _id: String,
    organization: String,
    name: String,
    description: String,
    jsonata: String,
    createdBy: String,
    createdAt: Date,
    updatedAt: Date,
  },
  { collection: 'eventtypes', versionKey: false, minimize: false, strict: true },
);

eventTypeSchema.index({ organization: 1, name: 1 }, { unique: true });
eventTypeSchema.index({ organization: 1, _id: 1 });

export const eventTypeModel = defineModel<EventTypeDocument>('EventType', eventTypeSchema);

export const eventTypeRecords = tenantRecords<EventTypeDocument>(eventTypeModel);

/**
 * The event type that a business event of this name means: that of the nearest organization on the
 * line (`path`, from the root; spec 8.1).
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
