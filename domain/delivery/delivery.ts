import { envelope } from '../events/envelope.ts';
import type { EventRecord } from '../events/event-record.ts';
import { isSubscribed } from '../events/subscriptions.ts';
import type { Subscription } from '../events/subscriptions.ts';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'skipped'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** A failure to send is an outcome, not an error. */
export const ATTEMPT_OUTCOMES = [
  'delivered',
  'rejected',
  'timed_out',
  'unreachable',
  'private_address',
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

/** Priority for polls, which must not find deliveries of failing services first. */
export type Pace = 'prompt' | 'patient';

/** A queue entry, later the log of a delivery (spec 7.8). */
export interface DeliveryRow {
  /** `<event id>:<service id>`: an event is queued once. */
  _id: string;
  event: string;
  eventId: string;
  service: string;
  /** Organization of the service: its readers may read the deliveries. */
  organization: string;
  conversation?: string;
  /** Deliveries of a lane are sent in the order of `sequence`. */
  lane: string;
  shard: number;
  pace: Pace;
  sequence: number;
  status: DeliveryStatus;
  /** Exact text of every attempt. */
  body: string;
  createdAt: string;
  attempts: Attempt[];
  trace?: string;
  /** The service is not verified. */
  held?: true;
}

/**
 * Returns one row per event and subscribed service: `skipped` for disabled services, held for
 * inactive services. `line` is the tenant path of the events. Deterministic.
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

/** Returns when a finished delivery (spec 7.10) or business event is removed. */
export function computeExpiry(finishedAt: Date): Date {
  return new Date(finishedAt.getTime() + KEPT_MS);
}
