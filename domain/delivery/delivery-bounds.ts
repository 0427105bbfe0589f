import { unprocessable } from '../errors.ts';
import type { Subscription } from '../events/subscriptions.ts';
import { SPOKEN_TYPES } from '../messages/message.ts';
import type { MessageType } from '../messages/message.ts';
import type { DeliveryRow } from './delivery.ts';

/**
 * Deliveries that the messages of one request may make. An organization within the bounds of
 * services never exceeds it: 100 messages for its 50 services and 50 of the root.
 */
export const MAX_DELIVERIES = 10_000;

/**
 * Throws DomainError `unprocessable` where the messages of a request would make too many
 * deliveries. A single message is always accepted.
 */
export function assertFewDeliveries(messages: number, services: readonly Subscription[]): void {
  const receiving = countReceiving(services);
  if (messages <= 1 || messages * receiving <= MAX_DELIVERIES) return;
  const most = Math.max(1, Math.floor(MAX_DELIVERIES / receiving));
  throw unprocessable(
    `${messages} messages for ${receiving} webhooks are too many deliveries at once: send at most ${most} messages in a request`,
    'messages',
  );
}

/** Messages of one part of an event's result, and the services of its organization. */
export interface CountedPart {
  messages: number;
  services: readonly Subscription[];
}

/**
 * Throws DomainError `unprocessable` where the parts of an event's result together would make too
 * many deliveries.
 */
export function assertFewDeliveriesOfParts(parts: readonly CountedPart[]): void {
  const deliveries = parts.reduce(
    (sum, { messages, services }) => sum + messages * countReceiving(services),
    0,
  );
  if (deliveries <= MAX_DELIVERIES) return;
  throw unprocessable(
    `must not make more than ${MAX_DELIVERIES} deliveries: its messages, times the webhooks that receive them, make ${deliveries}`,
    'result',
  );
}

/** Bytes of the conversation that the events of one request may repeat, together. */
export const MAX_REPEATED_BYTES = 8 * 1024 * 1024;

/** No conversation has more bytes as an event shows it: its bounds, its results and its links. */
const LARGEST_CONVERSATION = 384 * 1024;

/**
 * Whether the events of messages could repeat too much of a conversation, so that its size has to
 * be known (`assertSmallEvents`).
 */
export function mayRepeatMuch(types: readonly MessageType[], services: readonly Subscription[]): boolean {
  if (types.length <= 1 || countReceiving(services) === 0) return false;
  return countEvents(types) * LARGEST_CONVERSATION > MAX_REPEATED_BYTES;
}

/**
 * Throws DomainError `unprocessable` where the events of a request's messages would repeat too much
 * of the conversation. A body is stored once for all services.
 */
export function assertSmallEvents(types: readonly MessageType[], conversationBytes: number): void {
  const events = countEvents(types);
  if (events * conversationBytes <= MAX_REPEATED_BYTES) return;
  const most = Math.max(1, Math.floor((MAX_REPEATED_BYTES / conversationBytes / events) * types.length));
  throw unprocessable(
    `${types.length} messages are too many at once for webhooks: the event of each repeats the conversation, which has ${Math.ceil(conversationBytes / 1024)} KiB. Send at most ${most} messages in a request`,
    'messages',
  );
}

/** Most messages that are not spoken change the conversation, and so cause a second event. */
function countEvents(types: readonly MessageType[]): number {
  return types.reduce((sum, type) => sum + (SPOKEN_TYPES.includes(type) ? 1 : 2), 0);
}

function countReceiving(services: readonly Subscription[]): number {
  return services.filter(mayReceiveMessages).length;
}

function mayReceiveMessages({ events = [] }: Subscription): boolean {
  return events.length === 0 || events.some((pattern) => /^(message|\*)(\.(create|\*)|$)/.test(pattern));
}

/** Characters that the copies of an event's body may have together, one in each of its rows. */
const MAX_COPIED = 64 * 1024;

/**
 * Returns the rows, one of each event, whose body is stored once for all rows of the event. Where
 * few services receive a small event each row has a copy, which saves a read.
 */
export function rowsWithSharedBody(rows: readonly DeliveryRow[]): DeliveryRow[] {
  const counts = new Map<string, number>();
  for (const { eventId } of rows) counts.set(eventId, (counts.get(eventId) ?? 0) + 1);
  const seen = new Set<string>();
  return rows.filter(({ eventId, body }) => {
    const count = counts.get(eventId) ?? 0;
    if (seen.has(eventId) || count < 2 || count * body.length <= MAX_COPIED) return false;
    seen.add(eventId);
    return true;
  });
}

/** Services that an organization may have together with the organizations above it (spec 7.1). */
export const MAX_SERVICES = 50;

/** Characters of event patterns that those services may have together. */
export const MAX_PATTERN_CHARACTERS = 64 * 1024;

/** A service as far as the bounds count it. */
export interface CountedService {
  organization: string;
  /** Patterns; absent: everything. */
  events?: readonly string[] | undefined;
}

/** An organization whose events a service may receive. */
export interface Recipient {
  /** Ids from the root to the organization itself. */
  path: readonly string[];
}

/**
 * Returns the organizations above an organization, and itself, whose services count together. The
 * root's services count by themselves: no tenant can use up what the operator may register.
 */
export function sharedQuotaPath(path: readonly string[]): readonly string[] {
  return path.length > 1 ? path.slice(1) : path;
}

/**
 * Throws DomainError `unprocessable` where a service would be one too many for an organization that
 * it receives events of. `recipients` are the organization of the service and those below it,
 * `others` the other services of all of them and of those above.
 */
export function assertRoomForService(others: readonly CountedService[], recipients: readonly Recipient[]) {
  const counts = sumByOrganization(others, () => 1);
  if (largestSum(counts, recipients) < MAX_SERVICES) return;
  throw unprocessable(
    `An organization has at most ${MAX_SERVICES} services, together with those of the organizations above it. Delete one first; this counts for the organizations below, too.`,
  );
}

/** Throws DomainError `unprocessable` where the patterns of a service would be too many. */
export function assertRoomForPatterns(
  service: CountedService,
  others: readonly CountedService[],
  recipients: readonly Recipient[],
): void {
  const most = largestSum(sumByOrganization(others, patternCharacters), recipients);
  if (most + patternCharacters(service) <= MAX_PATTERN_CHARACTERS) return;
  throw unprocessable(
    `are too many: an organization and those above it have at most ${MAX_PATTERN_CHARACTERS} characters of patterns together, and a shorter pattern covers more events`,
    'params.events',
  );
}

/** Returns how many characters the patterns of a service have. */
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
