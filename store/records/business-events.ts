import mongoose from 'mongoose';
import { defineModel } from '../connection/model.ts';
import type { ErrorDetail } from '../../domain/errors.ts';
import type { Scope, UserRole } from '../../domain/scope.ts';
import { storeDate, storeNow } from '../cluster/clock.ts';
import { insertOnce } from '../queries/insert.ts';
import { computeExpiry } from '../../domain/delivery/delivery.ts';
import { tenantRecords } from './tenant-records.ts';
import type { TenantDocument } from '../connection/model.ts';

/** `received`: no outcome yet. `unrouted`: no event type has the event's name. */
export const EVENT_STATUSES = ['received', 'processed', 'ignored', 'failed', 'unrouted'] as const;

export type EventStatus = (typeof EVENT_STATUSES)[number];

/** A business event without its content (spec 8). */
export interface EventDocument extends TenantDocument {
  name: string;
  eventtype?: string;
  status: EventStatus;
  /** Identifies a repeated request (spec 8.8). */
  key?: string;
  /** Number of posts with the same signed body within 24 hours after the first (spec 8.9). */
  repeats?: number;
  /** Name of the timer that posts the event (spec 14.3). */
  timer?: string;
  /** Size of body and context. Set only while the status is `unrouted`. */
  bytes?: number;
  /** Set during a bulk retry. */
  queued?: boolean;
  conversations: string[];
  messages: string[];
  error?: { message: string; details?: ErrorDetail[] };
  /** Describes fields of the result that were ignored. */
  hint?: string;
  round: number;
  caller: {
    user: string;
    organization: string;
    role: UserRole;
    scope: Scope;
    apiKey?: string;
    trace?: string;
  };
  /** JSON. A large body is only in the content. */
  body?: string;
  processedAt?: Date;
  /** Set with the outcome, or while unrouted. */
  expiresAt?: Date;
}

export type EventOutcome = Pick<EventDocument, 'status' | 'conversations' | 'messages' | 'error' | 'hint'>;

export interface StoredEvent {
  event: EventDocument;
  content: EventContent;
}

/** Stored separately to keep lists of events small. `body`, `context` and `result` are JSON. */
export interface EventContent {
  _id: string;
  body: string;
  /** EventContext. Absent for the events of timers. */
  context?: string;
  /** Seed of the message ids: another run posts messages with the same ids. */
  seed: string;
  /** Round of `result`. */
  evaluated?: number;
  result?: string;
  expiresAt?: Date;
}

const ERASED_AT_ONCE = 500;
const LISTED_BODY_BYTES = 16 * 1024;

const { Mixed } = mongoose.Schema.Types;

const eventSchema = new mongoose.Schema<EventDocument>(
  {
    _id: String,
    organization: String,
    name: String,
    eventtype: String,
    status: String,
    key: String,
    repeats: Number,
    timer: String,
    bytes: Number,
    queued: Boolean,
    conversations: [String],
    messages: [String],
    error: Mixed,
    hint: String,
    caller: Mixed,
    body: String,
    round: Number,
    createdBy: String,
    createdAt: Date,
    updatedAt: Date,
    processedAt: Date,
    expiresAt: Date,
  },
  { collection: 'events', versionKey: false, minimize: false, strict: true },
);

eventSchema.index({ organization: 1, _id: 1 });
eventSchema.index({ organization: 1, status: 1, _id: 1 });
eventSchema.index({ updatedAt: 1 }, { partialFilterExpression: { status: 'received' } });
eventSchema.index({ conversations: 1 });
eventSchema.index({ key: 1 }, { sparse: true });
// For bulk retries, and for the caller's quota of unrouted events.
eventSchema.index({ eventtype: 1, status: 1, createdAt: 1, _id: 1 });
eventSchema.index({ name: 1, createdAt: 1, _id: 1 }, { partialFilterExpression: { status: 'unrouted' } });
eventSchema.index({ createdBy: 1 }, { partialFilterExpression: { status: 'unrouted' } });
eventSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

const contentSchema = new mongoose.Schema<EventContent>(
  {
    _id: String,
    body: String,
    context: String,
    seed: String,
    evaluated: Number,
    result: String,
    expiresAt: Date,
  },
  { collection: 'eventcontents', versionKey: false, strict: true },
);

contentSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const eventModel = defineModel<EventDocument>('Event', eventSchema);
export const eventContentModel = defineModel<EventContent>('EventContent', contentSchema);

export const eventRecords = tenantRecords<EventDocument>(eventModel);

/** Repeatable. An unrouted event is removed after 30 days unless it is run. */
export async function insertEvent(
  event: Omit<EventDocument, 'body' | 'round' | 'status' | 'conversations' | 'messages' | 'bytes'>,
  given: Pick<EventContent, 'body' | 'context' | 'seed'>,
): Promise<StoredEvent> {
  const { body } = given;
  const isUnrouted = event.eventtype === undefined;
  const expiry = isUnrouted ? { expiresAt: computeExpiry(event.createdAt) } : {};
  const content: EventContent = { _id: event._id, ...given, ...expiry };
  const isNewContent = await insertOnce(eventContentModel, content);
  const document: EventDocument = {
    ...event,
    ...expiry,
    ...(Buffer.byteLength(body) <= LISTED_BODY_BYTES ? { body } : {}),
    ...(isUnrouted ? { bytes: countContentBytes(given) } : {}),
    status: isUnrouted ? 'unrouted' : 'received',
    round: 0,
    conversations: [],
    messages: [],
  };
  const isNew = await insertOnce(eventModel, document);
  const stored = isNew && isNewContent ? { event: document, content } : await loadEvent(event._id);
  if (!stored) throw new Error(`The event ${event._id} was removed while it was being stored.`);
  return stored;
}

export async function loadEvent(id: string): Promise<StoredEvent | null> {
  const [event, content] = await Promise.all([
    eventModel.findById(id).lean<EventDocument>(),
    eventContentModel.findById(id).lean<EventContent>(),
  ]);
  return event && content && { event, content };
}

export function countContentBytes({ body, context = '' }: Pick<EventContent, 'body' | 'context'>): number {
  return Buffer.byteLength(body) + Buffer.byteLength(context);
}

export async function findSentContent(id: string): Promise<Pick<EventContent, 'body' | 'context'> | null> {
  return eventContentModel.findById(id, { body: 1, context: 1 }).lean();
}

/** Stores the round's result unless the round has one. Returns the stored result. */
export async function keepEventResult(
  { _id, round }: Pick<EventDocument, '_id' | 'round'>,
  result: string | undefined,
): Promise<string | undefined> {
  const { matchedCount } = await eventContentModel.updateOne(
    { _id, $or: [{ evaluated: { $exists: false } }, { evaluated: { $lt: round } }] },
    {
      $set: { evaluated: round, ...(result === undefined ? {} : { result }) },
      ...(result === undefined ? { $unset: { result: 1 } } : {}),
    },
  );
  if (matchedCount > 0) return result;
  return (await eventContentModel.findById(_id, { result: 1 }).lean<EventContent>())?.result;
}

/** Stores and returns the round's first outcome. The event is removed 30 days later. */
export async function keepEventOutcome(
  { _id, round }: Pick<EventDocument, '_id' | 'round'>,
  outcome: EventOutcome,
): Promise<EventOutcome> {
  const now = storeDate();
  const expiresAt = computeExpiry(now);
  const { error, hint, ...fields } = outcome;
  await eventContentModel.updateOne({ _id }, { $set: { expiresAt } });
  const { matchedCount } = await eventModel.updateOne(
    { _id, round, status: 'received' },
    {
      $set: {
        ...fields,
        ...(error ? { error } : {}),
        ...(hint === undefined ? {} : { hint }),
        updatedAt: now,
        processedAt: now,
        expiresAt,
      },
      $unset: { ...(error ? {} : { error: 1 }), ...(hint === undefined ? { hint: 1 } : {}) },
    },
  );
  if (matchedCount > 0) return outcome;
  const stands = await eventModel.findById(_id).lean<EventDocument>();
  return stands && stands.status !== 'received' ? stands : outcome;
}

/**
 * Resets an event for another run. The run re-evaluates the expression only if nothing was posted.
 * Does nothing if the event was re-run since it was read.
 */
export async function reopenEvent(
  { _id, messages, round }: Pick<EventDocument, '_id' | 'messages' | 'round'>,
  eventtype: string,
  how: Pick<EventDocument, 'queued'> = {},
): Promise<void> {
  const { matchedCount } = await eventModel.updateOne(
    { _id, round, status: { $in: ['failed', 'ignored', 'unrouted'] } },
    {
      $set: { status: 'received', eventtype, updatedAt: storeDate(), ...how },
      $unset: { expiresAt: 1, bytes: 1 },
      ...(messages.length === 0 ? { $inc: { round: 1 } } : {}),
    },
  );
  if (matchedCount > 0) await eventContentModel.updateOne({ _id }, { $unset: { expiresAt: 1 } });
}

/** A digest of a body identifies an event of the last 24 hours (spec 8.9). */
export function sinceYesterday() {
  return { createdAt: { $gt: new Date(storeNow() - 24 * 60 * 60 * 1000) } };
}

export async function countRepetition(key: string): Promise<void> {
  await eventModel.updateOne({ key, ...sinceYesterday() }, { $inc: { repeats: 1 } });
}

/** Deletes the events of a conversation, because their bodies contain personal data. Repeatable. */
export async function eraseEvents(conversation: string): Promise<void> {
  for (;;) {
    const found = await eventModel
      .find({ conversations: conversation }, { _id: 1 })
      .limit(ERASED_AT_ONCE)
      .lean();
    if (found.length === 0) return;
    const these = { _id: { $in: found.map(({ _id }) => _id) } };
    await eventContentModel.deleteMany(these);
    await eventModel.deleteMany(these);
  }
}
