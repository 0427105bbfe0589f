import { envelope } from '../events/envelope.ts';
import type { EventRecord } from '../events/event-record.ts';
import { isSubscribed } from '../events/subscriptions.ts';
import type { Subscription } from '../events/subscriptions.ts';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'skipped'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** How one attempt to reach a webhook ended. Failures to send are outcomes, not errors. */
export const ATTEMPT_OUTCOMES = [
  'delivered',
  'rejected',
  'timed_out',
  'unreachable',
  'private_address',
] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

/** One attempt as it is logged (spec 7.8). */
export interface Attempt {
  /** ISO 8601 UTC. */
  at: string;
  durationMs: number;
  outcome: AttemptOutcome;
  /** The answer's HTTP status, if there was an answer. */
  status?: number;
  /** The first 16 KiB of the answer. */
  response?: string;
  /** Why, in words, where there was no answer, or where a redirect points. */
  reason?: string;
  /** Number of requests, where two: an idle connection closed under the first one. */
  requests?: number;
  /** What became of the messages in the answer, in words, where it held any. */
  reply?: string;
}

const GONE = 410;

/** Whether the receiver said that it wants no more of these, ever (spec 7.8). */
export function isGone({ outcome, status }: Pick<Attempt, 'outcome' | 'status'>): boolean {
  return outcome === 'rejected' && status === GONE;
}

/**
 * How soon a pending delivery wants to be found: those that may be sent at once are not to stand
 * behind those that have to wait anyway, however many these are.
 */
export type Pace = 'prompt' | 'patient';

/** One event for one service: a place in the queue, and later its log (spec 7.8). */
export interface DeliveryRow {
  /** `<event id>:<service id>`: the same event is never queued twice. */
  _id: string;
  /** The event's name, as in the body. */
  event: string;
  /** The `id` of the body. */
  eventId: string;
  service: string;
  /** The organization of the service: who may see that one may see its deliveries. */
  organization: string;
  conversation?: string;
  /** Deliveries of one lane are made one after the other, by `sequence`. */
  lane: string;
  shard: number;
  pace: Pace;
  sequence: number;
  status: DeliveryStatus;
  /** The exact text that is sent, now and in every retry. */
  body: string;
  /** When the event happened, ISO 8601 UTC. */
  createdAt: string;
  attempts: Attempt[];
  /** Where what caused the event is in a trace (a traceparent), if that is traced. */
  trace?: string;
  /** Not to be sent yet: its service is being verified, or was refused. */
  held?: true;
}

/**
 * What is to be sent of these events to these services; `skipped` where the service is disabled,
 * held back where it is not active yet. `line` holds the ids of the organization that the events
 * belong to and all above it. The same arguments always give the same rows.
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

/** Whether a delivery that was just queued may be sent now. */
export function isSendable({ status, held }: DeliveryRow): boolean {
  return status === 'pending' && !held;
}

/** The shard of all deliveries of a service. */
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

// FNV-1a, with the last step of MurmurHash3: ids are alike but for a few characters, and a
// remainder needs their lowest bits well mixed.
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

/**
 * When a delivery or a business event that is done at `finishedAt` is removed (spec 7.10 says it of
 * deliveries).
 */
export function computeExpiry(finishedAt: Date): Date {
  return new Date(finishedAt.getTime() + KEPT_MS);
}
