import mongoose from 'mongoose';
import Type from 'typebox';
import { OwnedBy, about, always, madeAndChanged, patterned, text } from '../../schema/kinds.ts';
import { declareRecord, internal } from '../../schema/record.ts';
import { BUSINESS_EVENT_NAME } from '../../domain/events/business-event.ts';
import type { IngestSignature } from '../../domain/events/business-event.ts';
import { defineModel, defineRecordModel } from '../connection/model.ts';
import { insertOnce } from '../queries/insert.ts';
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
  signature?: IngestSignature;
  /** Encrypted. Meta sends it with its challenge. */
  verifyToken?: string;
  createdBy: string;
  createdAt: Date;
}

const { pattern, ...rules } = BUSINESS_EVENT_NAME;

export const Expression = about(
  Type.String(),
  'The JSONata expression. It returns `{conversation, messages}`, the body of an upsert, a list of these, or nothing.',
  '{ "conversation": conversation, "messages": [{ "text": text }] }',
);

/** See spec 4.3. */
export const eventTypeRecord = declareRecord({
  resource: 'eventtypes',
  title: 'EventType',
  description: 'A kind of business event, with the expression for its messages.',
  fields: {
    name: patterned(pattern, { ...rules, example: 'order.shipped' }),
    organization: OwnedBy,
    description: Type.Optional(
      about(text({ min: 0, max: 10_000 }), 'The description.', 'An order was shipped.'),
    ),
    jsonata: Type.Optional(Expression),
    ingest: internal(Type.Optional(Type.Unsafe<IngestAddress>({ type: 'object' }))),
  },
  answer: {
    name: about(Type.String(), 'The name, unique in the organization.', 'order.created'),
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

export async function findEventType(id: string): Promise<EventTypeDocument | null> {
  return eventTypeModel.findById(id).lean<EventTypeDocument>();
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

/**
 * Failures of an event type since the last notification. Separate from the event type, because a
 * write there would make conditional changes of the type fail.
 */
export interface FailureCount {
  _id: string;
  notifiedAt: Date;
  /** Run of an event that the notification is about. */
  run: string;
  /** Failures between the notification before and that run. */
  before: number;
  count: number;
}

const MONTH_SECONDS = 30 * 24 * 3600;

const failureSchema = new mongoose.Schema<FailureCount>(
  { _id: String, notifiedAt: Date, run: String, before: Number, count: Number },
  { collection: 'eventfailures', versionKey: false, strict: true },
);

failureSchema.index({ notifiedAt: 1 }, { expireAfterSeconds: MONTH_SECONDS });

const failureModel = defineModel<FailureCount>('EventFailures', failureSchema);

export interface FailureNotice {
  type: EventTypeDocument;
  notifiedAt: Date;
  /** Failures since the previous notice, with this one. */
  count: number;
}

/**
 * Counts the failure of a run. Returns a notice at most once in `everyMs`, and again for a
 * repetition of the run that got it. Returns null for a deleted event type.
 */
export async function countFailure(
  eventtype: string,
  { run, now, everyMs }: { run: string; now: Date; everyMs: number },
): Promise<FailureNotice | null> {
  for (;;) {
    const known = await failureModel.collection.findOne({ _id: eventtype });
    const isRepeated = known?.run === run;
    if (known && !isRepeated && known.notifiedAt.getTime() > now.getTime() - everyMs) {
      await failureModel.collection.updateOne({ _id: eventtype }, { $inc: { count: 1 } });
      return null;
    }
    const notice = isRepeated ? known : { notifiedAt: now, run, before: known?.count ?? 0, count: 0 };
    if (isRepeated || (await replaceFailures(eventtype, known, notice))) {
      const type = await findEventType(eventtype);
      return type && { type, notifiedAt: notice.notifiedAt, count: notice.before + 1 };
    }
  }
}

/** Returns counts with failures that no notice has, whose last notice is older than `before`. */
export async function findUnreportedFailures(before: Date, limit: number): Promise<FailureCount[]> {
  return failureModel
    .find({ notifiedAt: { $lt: before }, count: { $gt: 0 } })
    .limit(limit)
    .lean<FailureCount[]>();
}

/** Begins a new count after a notice about `run`. Does nothing if `known` has changed. */
export async function endFailureCount(
  known: FailureCount,
  { run, now }: { run: string; now: Date },
): Promise<void> {
  await replaceFailures(known._id, known, { notifiedAt: now, run, before: known.count - 1, count: 0 });
}

/** Returns false if another failure was counted since `known` was read. */
async function replaceFailures(
  _id: string,
  known: FailureCount | null,
  next: Omit<FailureCount, '_id'>,
): Promise<boolean> {
  if (!known) return insertOnce(failureModel, { _id, ...next });
  const { run, count } = known;
  const { matchedCount } = await failureModel.collection.updateOne({ _id, run, count }, { $set: next });
  return matchedCount > 0;
}
