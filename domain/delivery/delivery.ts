import { envelope } from '../events/envelope.ts';
import type { EventRecord } from '../events/event-record.ts';
import { isSubscribed } from '../events/subscriptions.ts';
import type { Subscription } from '../events/subscriptions.ts';
import { definedFields } from '../record-fields.ts';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'skipped'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export const ATTEMPT_OUTCOMES = [
  'delivered',
  'rejected',
  'timed_out',
  'unreachable',
  'private_address',
  // Only of channel services (spec 15.5).
  'refused',
  'throttled',
  'broken',
] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

/** Log entry of an attempt (spec 7.8). */
export interface Attempt {
  at: string;
  durationMs: number;
  outcome: AttemptOutcome;
  status?: number;
  /** First 16 KiB of the response. */
  response?: string;
  /** The cause of a missing response, or the target of a redirect. */
  reason?: string;
  /** 2 if an idle connection closed under the first request. */
  requests?: number;
  reply?: string;
}

const GONE = 410;

/** Returns whether the receiver rejected all further events (spec 7.8). */
export function isGone({ outcome, status }: Pick<Attempt, 'outcome' | 'status'>): boolean {
  return outcome === 'rejected' && status === GONE;
}

/** Polls prefer `prompt` deliveries. Deliveries of failing services are `patient`. */
export type Pace = 'prompt' | 'patient';

/** A queue entry, later the log of a delivery (spec 7.8). */
export interface DeliveryRow {
  /** `<event id>:<service id>`: an event is queued once per service. */
  _id: string;
  event: string;
  eventId: string;
  service: string;
  /** Readers of the service's organization may read the delivery. */
  organization: string;
  conversation?: string;
  /** Each lane is sent in the order of `sequence`. */
  lane: string;
  shard: number;
  pace: Pace;
  sequence: number;
  status: DeliveryStatus;
  /** Exact request body of every attempt. */
  body: string;
  createdAt: string;
  attempts: Attempt[];
  trace?: string;
  /** Not sent while the service is inactive or has no address. */
  held?: true;
  /** A post of a channel, on its way into a conversation (spec 15.6). */
  direction?: 'in';
  /** The service is a channel, which carries the message of the event (spec 15.2). */
  carried?: true;
}

interface Recipients {
  services: readonly Subscription[];
  /** Tenant path of the event. */
  line: readonly string[];
  shards: number;
}

/** Returns a row per subscribed service, also for inactive services. */
export function deliveryRows(event: EventRecord, { services, line, shards }: Recipients): DeliveryRow[] {
  const subscribed = services.filter((service) =>
    isSubscribed(service, event, { line, audience: event.audience }),
  );
  if (subscribed.length === 0) return [];
  const body = JSON.stringify(envelope(event));
  return subscribed.map((service) => buildDeliveryRow(event, { service, body, shards }));
}

export function inboundLane(service: string, sender: string): string {
  return `${service}:in:${sender}`;
}

export function isInboundLane(lane: string, service: string): boolean {
  return lane.startsWith(inboundLane(service, ''));
}

export function isSendable({ status, held }: DeliveryRow): boolean {
  return status === 'pending' && !held;
}

export function computeShard(service: string, shards: number): number {
  return hashText(service) % shards;
}

function buildDeliveryRow(
  event: EventRecord,
  { service, body, shards }: { service: Subscription; body: string; shards: number },
): DeliveryRow {
  return {
    _id: `${event.id}:${service.id}`,
    event: event.name,
    eventId: event.id,
    service: service.id,
    organization: service.organization,
    lane: `${service.id}:${event.lane ?? event.conversation ?? event.organization}`,
    shard: computeShard(service.id, shards),
    pace: service.failing ? 'patient' : 'prompt',
    sequence: event.sequence,
    status: service.status === 'disabled' ? 'skipped' : 'pending',
    body,
    createdAt: event.timestamp,
    attempts: [],
    ...definedFields({
      conversation: event.conversation,
      held: isHeld(service) ? (true as const) : undefined,
      carried: service.channel,
      trace: event.trace,
    }),
  };
}

function isHeld({ status, pulled }: Subscription): boolean {
  return status === 'pending' || status === 'failed' || (status === 'active' && pulled === true);
}

// FNV-1a with MurmurHash3's final mix: the remainder needs well-mixed low bits.
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
const DAY_MS = 24 * 3600 * 1000;
const KEPT_MS = 30 * DAY_MS;

/** Returns the removal time of a finished delivery (spec 7.10) or business event. */
export function computeExpiry(finishedAt: Date): Date {
  return new Date(finishedAt.getTime() + KEPT_MS);
}
