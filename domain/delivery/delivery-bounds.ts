import { unprocessable } from '../errors.ts';
import type { Subscription } from '../events/subscriptions.ts';
import { SPOKEN_TYPES } from '../messages/message.ts';
import type { MessageType } from '../messages/message.ts';
import type { DeliveryRow } from './delivery.ts';

/** 100 messages for 100 services. */
export const MAX_DELIVERIES = 10_000;

/** Accepts any single message. */
export function assertFewDeliveries(messages: number, services: readonly Subscription[]): void {
  const receiving = countReceiving(services);
  if (messages <= 1 || messages * receiving <= MAX_DELIVERIES) return;
  const most = Math.max(1, Math.floor(MAX_DELIVERIES / receiving));
  throw unprocessable(
    `${messages} messages for ${receiving} webhooks are too many deliveries at once: send at most ${most} messages in a request`,
    'messages',
  );
}

export function assertFewDeliveriesOfParts(
  parts: readonly { messages: number; services: readonly Subscription[] }[],
): void {
  const counts = parts.map(({ messages, services }) => messages * countReceiving(services));
  const deliveries = counts.reduce((sum, count) => sum + count, 0);
  if (deliveries <= MAX_DELIVERIES) return;
  throw unprocessable(
    `must not make more than ${MAX_DELIVERIES} deliveries: its messages, times the webhooks that receive them, make ${deliveries}`,
    'result',
  );
}

/** Maximum bytes of conversation copies in a request's events. */
export const MAX_REPEATED_BYTES = 8 * 1024 * 1024;

/** Maximum bytes of a conversation in an event. */
const LARGEST_CONVERSATION = 384 * 1024;

export function mayRepeatMuch(types: readonly MessageType[], services: readonly Subscription[]): boolean {
  if (types.length <= 1 || countReceiving(services) === 0) return false;
  return countEvents(types) * LARGEST_CONVERSATION > MAX_REPEATED_BYTES;
}

/** Counts each body once, because all services share it. */
export function assertSmallEvents(types: readonly MessageType[], conversationBytes: number): void {
  const events = countEvents(types);
  if (events * conversationBytes <= MAX_REPEATED_BYTES) return;
  const most = Math.max(1, Math.floor((MAX_REPEATED_BYTES / conversationBytes / events) * types.length));
  throw unprocessable(
    `${types.length} messages are too many at once for webhooks: the event of each repeats the conversation, which has ${Math.ceil(conversationBytes / 1024)} KiB. Send at most ${most} messages in a request`,
    'messages',
  );
}

/** Messages outside `SPOKEN_TYPES` count twice, because most also change the conversation. */
function countEvents(types: readonly MessageType[]): number {
  return types.reduce((sum, type) => sum + (SPOKEN_TYPES.includes(type) ? 1 : 2), 0);
}

function countReceiving(services: readonly Subscription[]): number {
  const mayReceive = ({ events = [] }: Subscription) =>
    events.length === 0 || events.some((pattern) => /^(message|\*)(\.(create|\*)|$)/.test(pattern));
  return services.filter(mayReceive).length;
}

/** Maximum characters of all copies of a body. */
const MAX_COPIED = 64 * 1024;

/**
 * Returns the events whose body is stored once for all rows: one row of each, and the number of
 * rows. Small bodies are copied into every row, which saves a read.
 */
export function findSharedBodies(rows: readonly DeliveryRow[]): { row: DeliveryRow; sharing: number }[] {
  const events = new Map<string, { row: DeliveryRow; sharing: number }>();
  for (const row of rows) {
    const event = events.get(row.eventId) ?? { row, sharing: 0 };
    event.sharing += 1;
    events.set(row.eventId, event);
  }
  return [...events.values()].filter(
    ({ row, sharing }) => sharing > 1 && sharing * row.body.length > MAX_COPIED,
  );
}

/** Maximum services of an organization and its ancestors below the root together (spec 7.1). */
export const MAX_SERVICES = 50;

export const MAX_PATTERN_CHARACTERS = 64 * 1024;

export interface CountedService {
  organization: string;
  events?: readonly string[] | undefined;
}

export interface Recipient {
  /** Root first. */
  path: readonly string[];
}

/** Leaves out the root: tenants cannot use up the quota of the operator's services. */
export function sharedQuotaPath(path: readonly string[]): readonly string[] {
  return path.length > 1 ? path.slice(1) : path;
}

/**
 * Throws DomainError `unprocessable` if the service exceeds a limit. `recipients` are the service's
 * organization and its descendants. `others` are all services of these organizations and their
 * ancestors.
 */
export function assertRoomForService(others: readonly CountedService[], recipients: readonly Recipient[]) {
  const counts = sumByOrganization(others, () => 1);
  if (largestSum(counts, recipients) < MAX_SERVICES) return;
  throw unprocessable(
    `An organization has at most ${MAX_SERVICES} services, including the services of the organizations above it. The limit also applies to each organization below. Delete a service first.`,
  );
}

export function assertRoomForPatterns(
  service: CountedService,
  others: readonly CountedService[],
  recipients: readonly Recipient[],
): void {
  const most = largestSum(sumByOrganization(others, patternCharacters), recipients);
  if (most + patternCharacters(service) <= MAX_PATTERN_CHARACTERS) return;
  throw unprocessable(
    `are too many: an organization and the organizations above it have at most ${MAX_PATTERN_CHARACTERS} characters of patterns together, and a shorter pattern covers more events`,
    'params.events',
  );
}

export function patternCharacters({ events = [] }: Pick<CountedService, 'events'>): number {
  return events.reduce((sum, pattern) => sum + pattern.length, 0);
}

function sumByOrganization(
  services: readonly CountedService[],
  size: (service: CountedService) => number,
): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const service of services) {
    sums.set(service.organization, (sums.get(service.organization) ?? 0) + size(service));
  }
  return sums;
}

function largestSum(sums: ReadonlyMap<string, number>, recipients: readonly Recipient[]): number {
  const lines = recipients.map(({ path }) => sharedQuotaPath(path));
  return Math.max(0, ...lines.map((line) => line.reduce((sum, id) => sum + (sums.get(id) ?? 0), 0)));
}
