import { envelope } from '../events/envelope.ts';
import type { EventRecord } from '../events/event-record.ts';
import { isSubscribed } from '../events/subscriptions.ts';
import type { Subscription } from '../events/subscriptions.ts';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'skipped'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Outcomes of one attempt. A failure to send is an outcome, not an error. */
export const ATTEMPT_OUTCOMES = [
  'delivered',
  'rejected',
  'timed_out',
  'unreachable',
  'private_address',
] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

/** Log entry of one attempt (spec 7.8). */
export interface Attempt {
  /** ISO 8601 UTC. */
  at: string;
  durationMs: number;
  outcome: AttemptOutcome;
  /** HTTP status, if there was a response. */
  status?: number;
  /** First 16 KiB of the response. */
  response?: string;
  /** Why there was no response, or the target of a redirect. */
  reason?: string;
  /** Number of requests if two: the receiver closed an idle connection under the first request. */
  requests?: number;
  /** Result of posting the messages in the response, if it held any. */
  reply?: string;
}

const GONE = 410;

/** Returns whether the receiver rejected the service's events for good (spec 7.8). */
export function isGone({ outcome, status }: Pick<Attempt, 'outcome' | 'status'>): boolean {
  return outcome === 'rejected' && status === GONE;
}

/**
 * Polling priority of a pending delivery. Deliveries that can be sent at once must not queue behind
 * deliveries of failing services.
 */
export type Pace = 'prompt' | 'patient';

/** One event for one service: a queue entry, later its log (spec 7.8). */
export interface DeliveryRow {
  /** `<event id>:<service id>`, so an event is never queued twice. */
  _id: string;
  /** Name of the event, as in the body. */
  event: string;
  /** `id` in the body. */
  eventId: string;
  service: string;
  /** Organization of the service. Callers who may read the service may read its deliveries. */
  organization: string;
  conversation?: string;
  /** Deliveries of a lane are sent in the order of `sequence`. */
  lane: string;
  shard: number;
  pace: Pace;
  sequence: number;
  status: DeliveryStatus;
  /** The exact text of every attempt. */
  body: string;
  /** Time of the event, ISO 8601 UTC. */
  createdAt: string;
  attempts: Attempt[];
  /** Traceparent of the cause, if it is traced. */
  trace?: string;
  /** Not to be sent yet: the service is not verified, or its verification failed. */
  held?: true;
}

/**
 * Returns the deliveries of events to services: `skipped` for disabled services, held for services
 * that are not active yet. `line` is the tenant path of the events' organization. Deterministic.
 */
export function deliveryRows({
  events,
  services,
  line,
  shards,
}: {
  events: readonly EventRecord[];
  services: readonly Subscription[];
  line: readonly string[];
  shards: number;
}): DeliveryRow[] {
  return events.flatMap((event) => {
    const { audience } = event;
    const hearing = services.filter((service) =>
      isSubscribed(service, event, { line, ...(audience ? { audience } : {}) }),
    );
    if (hearing.length === 0) return [];
    const body = JSON.stringify(envelope(event));
    return hearing.map((service) => buildDeliveryRow(event, { service, body, shards }));
  });
}

/** Returns whether a queued delivery may be sent now. */
export function isSendable({ status, held }: DeliveryRow): boolean {
  return status === 'pending' && !held;
}

/** Returns the shard of a service's deliveries. */
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
    ...(event.conversation ? { conversation: event.conversation } : {}),
    lane: `${service.id}:${event.conversation ?? event.organization}`,
    shard: computeShard(service.id, shards),
    pace: service.failing ? 'patient' : 'prompt',
    sequence: event.sequence,
    status: service.status === 'disabled' ? 'skipped' : 'pending',
    body,
    createdAt: event.timestamp,
    attempts: [],
    ...(service.status === 'pending' || service.status === 'failed' ? { held: true } : {}),
    ...(event.trace === undefined ? {} : { trace: event.trace }),
  };
}

// FNV-1a with the final mix of MurmurHash3. Ids differ in few characters, and the remainder needs
// well-mixed low bits.
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

/** Returns when a finished delivery or business event is removed (spec 7.10 for deliveries). */
export function computeExpiry(finishedAt: Date): Date {
  return new Date(finishedAt.getTime() + KEPT_MS);
}
