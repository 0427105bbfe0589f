import mongoose from 'mongoose';
import { FairScheduler } from '../../platform/concurrency/fair-scheduler.ts';
import { defineModel } from '../connection/model.ts';
import { deliveryRows } from '../../domain/delivery/delivery.ts';
import type { DeliveryRow } from '../../domain/delivery/delivery.ts';
import type { EventActor, EventData, EventRecord } from '../../domain/events/event-record.ts';
import { isSubscribed } from '../../domain/events/subscriptions.ts';
import type { Subscription } from '../../domain/events/subscriptions.ts';
import { insertDeliveries } from './deliveries.ts';
import { organizationContext } from '../records/organizations.ts';
import { findSubscribers } from './services.ts';

/** An event outside of conversations (spec 7). */
export interface Publication {
  /** Publishing the same id twice delivers the event once. */
  id: string;
  name: string;
  /** ISO 8601 UTC. */
  timestamp: string;
  organization: string;
  actor: EventActor;
  /** State at the time of the event. */
  data: EventData;
  /** Tenant path. Required if the organization may be deleted already. */
  line?: readonly string[];
  /** Id of a service that does not receive the event. */
  except?: string;
}

/** An event whose deliveries may still be missing from the queue. Its recipients are fixed. */
interface PendingEvent extends Omit<Publication, 'except' | 'data'> {
  line: readonly string[];
  services: Subscription[];
  publicUrl: string;
  /** JSON, because keys may look like operators or paths. */
  data: string;
}

interface OrganizationEventsDocument {
  _id: string;
  sequence: number;
  pending: PendingEvent[];
}

const { Mixed } = mongoose.Schema.Types;

const organizationEventsSchema = new mongoose.Schema<OrganizationEventsDocument>(
  { _id: String, sequence: Number, pending: [Mixed] },
  { collection: 'organizationevents', versionKey: false, minimize: false, strict: true },
);

const organizationEventsModel = defineModel<OrganizationEventsDocument>(
  'OrganizationEvents',
  organizationEventsSchema,
);

const turns = new FairScheduler({ max: 16, maxEach: 1 });

/**
 * Queues an event for every subscribed service. Once `publish` resolves, the event is delivered
 * even if this process crashes.
 *
 * One atomic write appends the event to its organization's pending events. Each process queues
 * earlier pending events first: a reader never sees a later event without the earlier event.
 */
export async function publish(
  announcement: Publication,
  { publicUrl, deliveryShards }: { publicUrl: string; deliveryShards: number },
): Promise<DeliveryRow[]> {
  const { except, data, ...told } = announcement;
  const line = told.line ?? (await organizationContext(told.organization))?.path ?? [told.organization];
  const services = (await findSubscribers(line))
    .filter((service) => service.id !== except && isSubscribed(service, told, { line }))
    .map(withoutPatterns);
  if (services.length === 0) return [];
  const event = { ...told, line, services, publicUrl, data: JSON.stringify(data) };
  return turns.run(['all', told.organization], () => queueAfterOthers(event, deliveryShards));
}

// The recipients are fixed: without patterns, every event matches.
function withoutPatterns({ events: _, ...service }: Subscription): Subscription {
  return service;
}

async function queueAfterOthers(event: PendingEvent, shards: number): Promise<DeliveryRow[]> {
  const pending = await joinPending(event);
  const rows = pending.flatMap((one) => deliveryRows(one, { ...one, shards }));
  await insertDeliveries(rows);
  await removePending(
    event.organization,
    pending.map(({ id }) => id),
  );
  return rows;
}

type NumberedEvent = EventRecord & Pick<PendingEvent, 'services' | 'line'>;

/** Appends the event. Returns all pending events. */
async function joinPending(event: PendingEvent): Promise<NumberedEvent[]> {
  const after = await organizationEventsModel.collection.findOneAndUpdate(
    { _id: event.organization },
    { $inc: { sequence: 1 }, $push: { pending: event } },
    { upsert: true, returnDocument: 'after' },
  );
  if (!after) throw new Error('The store returned no document for an upsert.');
  const { sequence, pending } = after;
  // Events leave from the front, so the remaining events have the last sequences.
  return pending.map((one, at) => ({
    ...one,
    sequence: sequence - pending.length + 1 + at,
    data: () => JSON.parse(one.data) as EventData,
  }));
}

async function removePending(organization: string, ids: string[]): Promise<void> {
  await organizationEventsModel.collection.updateOne(
    { _id: organization },
    { $pull: { pending: { id: { $in: ids } } } },
  );
}
