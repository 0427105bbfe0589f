import mongoose from 'mongoose';
import { createFairTurns } from '../../platform/concurrency/fair-turns.ts';
import { defineModel } from '../connection/model.ts';
import { deliveryRows } from '../../domain/delivery/delivery.ts';
import type { DeliveryRow } from '../../domain/delivery/delivery.ts';
import type { EventActor, EventData, EventRecord } from '../../domain/events/event-record.ts';
import { isSubscribed } from '../../domain/events/subscriptions.ts';
import type { Subscription } from '../../domain/events/subscriptions.ts';
import { insertDeliveries } from './deliveries.ts';
import { organizationContext } from '../records/organizations.ts';
import { findSubscribers } from './services.ts';

/** An event outside a conversation (spec 7), as whoever caused it tells it. */
export interface Publication {
  /** The same again when the same thing is told again: then it is heard once. */
  id: string;
  name: string;
  /** ISO 8601 UTC. */
  timestamp: string;
  organization: string;
  actor: EventActor;
  /** The resources under their names, as they were when it happened. */
  data: EventData;
  /** Ids of the organization and all above it, where the organization itself may be gone by now. */
  line?: readonly string[];
  /** A service that does not hear of it: the one that it is about. */
  except?: string;
}

/** An announcement whose deliveries may not be queued yet, and whom it goes to: decided once. */
interface PendingEvent extends Omit<Publication, 'except' | 'data'> {
  line: readonly string[];
  services: Subscription[];
  publicUrl: string;
  /** JSON, so that no key of it is read as part of a query or a path. */
  data: string;
}

/**
 * The events of one organization that are no conversation's: their number so far, and those on
 * their way.
 */
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

/** As many organizations queue events at once. */
const ORGANIZATIONS_AT_ONCE = 16;
const turns = createFairTurns(ORGANIZATIONS_AT_ONCE);

/**
 * Queues an event for every service that hears it now; when this resolves it will be delivered,
 * whoever is killed. Answers the deliveries, for the drain of this process.
 *
 * An event gets its place in the line of its organization in one atomic write, and everybody who
 * queues deliveries queues those of the events before its own first: a reader never sees a later
 * event without the earlier one. A process queues one event of an organization at a time, so that
 * few are on their way at once, however large they are.
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
  return turns.run(told.organization, () => queueAfterOthers(event, deliveryShards));
}

// The services are chosen already: a service without patterns matches every event.
function withoutPatterns({ events: _, ...service }: Subscription): Subscription {
  return service;
}

async function queueAfterOthers(event: PendingEvent, shards: number): Promise<DeliveryRow[]> {
  const pending = await joinPending(event);
  const rows = pending.flatMap((one) =>
    deliveryRows({ events: [one], services: one.services, line: one.line, shards }),
  );
  await insertDeliveries(rows);
  await removePending(
    event.organization,
    pending.map(({ id }) => id),
  );
  return rows;
}

type NumberedEvent = EventRecord & Pick<PendingEvent, 'services' | 'line'>;

/** All events of the organization that are on their way, this one the last. */
async function joinPending(event: PendingEvent): Promise<NumberedEvent[]> {
  const after = await organizationEventsModel.collection.findOneAndUpdate(
    { _id: event.organization },
    { $inc: { sequence: 1 }, $push: { pending: event } },
    { upsert: true, returnDocument: 'after' },
  );
  if (!after) throw new Error('The store answered no document to an upsert.');
  const { sequence, pending } = after;
  // Those who leave are always the first ones, so those who are there have the last numbers.
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
