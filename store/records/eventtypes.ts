import Type from 'typebox';
import { OwnedBy, about, always, madeAndChanged, patterned, text } from '../../schema/kinds.ts';
import { declareRecord, internal } from '../../schema/record.ts';
import { BUSINESS_EVENT_NAME } from '../../domain/events/business-event.ts';
import type { SignatureKind } from '../../domain/events/business-event.ts';
import { defineRecordModel } from '../connection/model.ts';
import { tenantRecords } from './tenant-records.ts';
import type { RecordDocument } from '../connection/model.ts';

/** See spec 8.9. */
export interface IngestAddress {
  /** Digest of the token. */
  token: string;
  /** Bot that posts the events. */
  user: string;
  /** Encrypted. */
  secret?: string;
  /** Only set with a secret. */
  signature?: SignatureKind;
  createdBy: string;
  createdAt: Date;
}

const { pattern, ...rules } = BUSINESS_EVENT_NAME;

export const Expression = about(
  Type.String(),
  'The JSONata expression that makes of an event `{conversation, messages}`, the body of an upsert, a list of these, or nothing.',
  '{ "conversation": conversation, "messages": [{ "text": text }] }',
);

/** See spec 4.3. */
export const eventTypeRecord = declareRecord({
  resource: 'eventtypes',
  title: 'EventType',
  description: 'A kind of business event, and what is made of it.',
  fields: {
    name: patterned(pattern, { ...rules, example: 'order.shipped' }),
    organization: OwnedBy,
    description: Type.Optional(
      about(text({ min: 0, max: 10_000 }), 'What it tells.', 'An order was shipped.'),
    ),
    jsonata: Type.Optional(Expression),
    ingest: internal(Type.Optional(Type.Unsafe<IngestAddress>({ type: 'object' }))),
  },
  answer: {
    name: about(Type.String(), 'Its name, unique in the organization.', 'order.created'),
    ...always({ createdBy: madeAndChanged.createdBy }),
  },
});

export type EventTypeDocument = RecordDocument<typeof eventTypeRecord>;

export const eventTypeModel = defineRecordModel<EventTypeDocument>('EventType', eventTypeRecord, [
  [{ organization: 1, name: 1 }, { unique: true }],
  [{ organization: 1, _id: 1 }],
  [{ 'ingest.token': 1 }, { unique: true, sparse: true }],
  [{ 'ingest.user': 1 }, { sparse: true }],
]);

export const eventTypeRecords = tenantRecords(eventTypeModel);

/** Prefers the lowest organization of the tenant path (spec 8.1). */
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

/** Sets or removes (null) the address. Returns whether an address existed. */
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
