import mongoose from 'mongoose';
import { defineModel } from '../connection/model.ts';
import type { ErrorDetail } from '../../domain/errors.ts';
import type { Scope, UserRole } from '../../domain/scope.ts';
import { storeDate } from '../cluster/clock.ts';
import { insertOnce } from '../queries/insert.ts';
import { computeExpiry } from '../../domain/delivery/delivery.ts';
import { tenantRecords } from './tenant-records.ts';
import type { TenantDocument } from './tenant-records.ts';

/**
 * How far a business event has come: `received` until its outcome is known, `unrouted` where no
 * event type had its name.
 */
export const EVENT_STATUSES = ['received', 'processed', 'ignored', 'failed', 'unrouted'] as const;

export type EventStatus = (typeof EVENT_STATUSES)[number];

/** A business event as it is listed (spec 8). */
export interface EventDocument extends TenantDocument {
  name: string;
  /** None where it is unrouted. */
  eventtype?: string;
  status: EventStatus;
  /** By which it is known that its sender sends it again (spec 8.8). */
  key?: string;
  /** Of its body; of unrouted events only. */
  bytes?: number;
  /** It is run again together with others, one after the other. */
  queued?: boolean;
  /** Where it posted to, and what: as far as it came, if it failed. */
  conversations: string[];
  messages: string[];
  error?: { message: string; details?: ErrorDetail[] };
  /** How often it was to be run anew, from its expression on. */
  round: number;
  /** As whom it posts. */
  caller: { user: string; organization: string; role: UserRole; scope: Scope; trace?: string };
  /** The body as JSON, unless it is large: then only its content has it. */
  body?: string;
  processedAt?: Date;
  /** When it is forgotten: so long after its outcome. One without an outcome is kept. */
  expiresAt?: Date;
}

/** What became of an event: where it posted to, and what; as far as it came, if it failed. */
export type EventOutcome = Pick<EventDocument, 'status' | 'conversations' | 'messages' | 'error'>;

/** An event with its content. */
export interface StoredEvent {
  event: EventDocument;
  content: EventContent;
}

/** What a business event is made of, kept apart so that lists stay light. Texts are JSON. */
export interface EventContent {
  _id: string;
  body: string;
  /** The names of what it posts follow from this, so that it posts the same again after a crash. */
  seed: string;
  /**
   * The round in which its expression was run; `result` is what that gave and is posted, nothing
   * where it is absent.
   */
  evaluated?: number;
  result?: string;
  /** As the event's. */
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
    bytes: Number,
    queued: Boolean,
    conversations: [String],
    messages: [String],
    error: Mixed,
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
// Those that nobody brings to their end.
eventSchema.index({ updatedAt: 1 }, { partialFilterExpression: { status: 'received' } });
// What a conversation's removal takes with it.
eventSchema.index({ conversations: 1 });
eventSchema.index({ key: 1 }, { sparse: true });
// What is run again in the order of arrival, and how much a caller has of what no type is for.
eventSchema.index({ eventtype: 1, status: 1, createdAt: 1, _id: 1 });
eventSchema.index({ name: 1, createdAt: 1, _id: 1 }, { partialFilterExpression: { status: 'unrouted' } });
eventSchema.index({ createdBy: 1 }, { partialFilterExpression: { status: 'unrouted' } });
eventSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

const contentSchema = new mongoose.Schema<EventContent>(
  { _id: String, body: String, seed: String, evaluated: Number, result: String, expiresAt: Date },
  { collection: 'eventcontents', versionKey: false, strict: true },
);

contentSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const eventModel = defineModel<EventDocument>('Event', eventSchema);
export const eventContentModel = defineModel<EventContent>('EventContent', contentSchema);

export const eventRecords = tenantRecords<EventDocument>(eventModel);

/**
 * Stores a new event, and answers it; a second time it changes nothing, and answers the first. One
 * without an event type is unrouted: it is forgotten after thirty days, unless it is run before.
 */
export async function insertEvent(
  event: Omit<EventDocument, 'body' | 'round' | 'status' | 'conversations' | 'messages' | 'bytes'>,
  { body, seed }: Pick<EventContent, 'body' | 'seed'>,
): Promise<StoredEvent> {
  const bytes = Buffer.byteLength(body);
  const isUnrouted = event.eventtype === undefined;
  const expiry = isUnrouted ? { expiresAt: computeExpiry(event.createdAt) } : {};
  const content: EventContent = { _id: event._id, body, seed, ...expiry };
  const isNewContent = await insertOnce(eventContentModel, content);
  const document: EventDocument = {
    ...event,
    ...expiry,
    ...(bytes <= LISTED_BODY_BYTES ? { body } : {}),
    ...(isUnrouted ? { bytes } : {}),
    status: isUnrouted ? 'unrouted' : 'received',
    round: 0,
    conversations: [],
    messages: [],
  };
  const isNew = await insertOnce(eventModel, document);
  const stored = isNew && isNewContent ? { event: document, content } : await loadEvent(event._id);
  if (!stored) throw new Error(`The event ${event._id} was removed as it was stored.`);
  return stored;
}

/** An event with its content, whoever asks. */
export async function loadEvent(id: string): Promise<StoredEvent | null> {
  const [event, content] = await Promise.all([
    eventModel.findById(id).lean<EventDocument>(),
    eventContentModel.findById(id).lean<EventContent>(),
  ]);
  return event && content && { event, content };
}

export async function findEventBody(id: string): Promise<string | undefined> {
  const found = await eventContentModel.findById(id, { body: 1 }).lean<Pick<EventContent, 'body'>>();
  return found?.body;
}

/**
 * Keeps what the expression gave in a round: from then on the event posts this and nothing else.
 * The first one to say so decides: answers the result that stands.
 */
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

/**
 * Keeps the outcome of an event's round. Thirty days later it is forgotten, as deliveries are. The
 * first one to say so decides: answers the outcome that stands, or the given one where the event is
 * gone, or open again.
 */
export async function keepEventOutcome(
  { _id, round }: Pick<EventDocument, '_id' | 'round'>,
  outcome: EventOutcome,
): Promise<EventOutcome> {
  const now = storeDate();
  const expiresAt = computeExpiry(now);
  const { error, ...fields } = outcome;
  await eventContentModel.updateOne({ _id }, { $set: { expiresAt } });
  const { matchedCount } = await eventModel.updateOne(
    { _id, round, status: 'received' },
    {
      $set: { ...fields, ...(error ? { error } : {}), updatedAt: now, processedAt: now, expiresAt },
      ...(error ? {} : { $unset: { error: 1 } }),
    },
  );
  if (matchedCount > 0) return outcome;
  const stands = await eventModel.findById(_id).lean<EventDocument>();
  return stands && stands.status !== 'received' ? stands : outcome;
}

/**
 * Lets an event be run again, from its expression on if it has posted nothing yet. Changes nothing
 * where it is no longer as it was read: somebody else had it run again.
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

/**
 * Removes the events that posted into a conversation, with their bodies: those say who it was with.
 * Repeatable.
 */
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
