import {
  BUSINESS_EVENT_NAME,
  MAX_UNROUTED,
  isBusinessEventName,
} from '../../../domain/events/business-event.ts';
import { invalidRequest, notFound, DomainError } from '../../../domain/errors.ts';
import { newSeed } from '../../../application/posting/id-generator.ts';
import {
  countContentBytes,
  countRepetition,
  insertEvent,
  loadEvent,
  reopenEvent,
} from '../../../store/records/business-events.ts';
import type { EventDocument } from '../../../store/records/business-events.ts';
import { findEventTypeFor, eventTypeNames } from '../../../store/records/eventtypes.ts';
import type { EventTypeDocument } from '../../../store/records/eventtypes.ts';
import { findEventByKey, countUnrouted } from '../../../store/records/find-events.ts';
import { organizationContext } from '../../../store/records/organizations.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';
import { runAdmittedEvent } from './run.ts';
import type { EndedEvent, ReadyEvent } from './run.ts';
import { definedFields } from '../../../domain/record-fields.ts';
import { didYouMean } from '../../../domain/suggestion.ts';
import { ttlCache } from '../../../store/queries/ttl-cache.ts';

/**
 * POST /events/{name} stores the event and runs the nearest event type (spec 8). POST /events takes
 * a CloudEvent.
 */
export async function createEvent(request: ApiRequest, api: Api): Promise<HandlerResult> {
  const { organization } = request.principal;
  const name = readEventName(request);
  return runAdmittedEvent({ organization, name }, api, () => prepareEvent(request));
}

/** Stores or reopens the event. A repeated event with an outcome is returned as `ended`. */
export async function prepareEvent(request: ApiRequest): Promise<ReadyEvent | EndedEvent> {
  const { organization } = request.principal;
  const name = readEventName(request);
  const context = await organizationContext(organization);
  const type = context && (await findEventTypeFor(context.path, name));
  const { key } = request.event ?? {};
  const known = key && (await findEventByKey(key));
  if (known && key.isDigest) await countRepetition(key.digest);
  return known ? repeatEvent(known, type) : storeEvent(request, { name, type });
}

function readEventName({ params, event }: ApiRequest): string {
  const name = params['name'] ?? event?.type;
  if (name === undefined) {
    throw invalidRequest('type', 'send a CloudEvent, or name the event in the path: POST /events/{name}');
  }
  if (!isBusinessEventName(name)) {
    throw invalidRequest(
      params['name'] === undefined ? 'type' : 'name',
      `must be ${BUSINESS_EVENT_NAME.words}`,
    );
  }
  return name;
}

async function storeEvent(
  request: ApiRequest,
  { name, type }: { name: string; type: EventTypeDocument | null },
): Promise<ReadyEvent | EndedEvent> {
  const { principal, ids, receivedAt } = request;
  const { user, organization, role, scope, credential, trace } = principal;
  const apiKey = 'apiKey' in credential ? credential.apiKey : undefined;
  const now = new Date(receivedAt);
  const event = {
    _id: ids.newId(),
    organization,
    name,
    ...definedFields({ eventtype: type?._id, key: request.event?.key?.digest }),
    caller: { user, organization, role, scope, ...definedFields({ apiKey, trace }) },
    createdBy: user,
    createdAt: now,
    updatedAt: now,
  };
  const content = {
    body: JSON.stringify(request.body),
    context: JSON.stringify(request.event?.context ?? {}),
    seed: newSeed(),
  };
  if (!type) return storeUnrouted(event, content);
  return { stored: await insertEvent(event, content), expression: type.jsonata ?? '' };
}

/** Runs a repeated event again unless it was processed or ignored, or has no event type. */
async function repeatEvent(
  event: EventDocument,
  type: EventTypeDocument | null,
): Promise<ReadyEvent | EndedEvent> {
  if (event.status === 'processed' || event.status === 'ignored') return { ended: event };
  const isUnderWay = event.status === 'received';
  if (!isUnderWay) {
    if (!type) return { ended: event };
    await reopenEvent(event, type._id);
  }
  const found = await loadEvent(event._id);
  if (!found) throw notFound('The event');
  return { stored: found, isUnderWay };
}

/** Quota of unrouted events per user, besides their number (spec 8.3). */
const MAX_UNROUTED_BYTES = 16 * 1024 * 1024;

const KEPT = 'The event is kept: a retry runs it once there is one.';
const NOT_KEPT = 'The event was not kept: too many of yours wait for an event type already.';

// Between reloads, this process adds its own events to the count.
const unroutedUsage = ttlCache({ maxAgeMs: 5_000, max: 10_000, load: countUnrouted });
// The sender must not see event types of parent organizations (spec 2.2).
const eventTypeNameCache = ttlCache({ maxAgeMs: 5_000, max: 1_000, load: eventTypeNames });

/** Stores the event within the user's quota. The error suggests a name. */
async function storeUnrouted(
  event: Parameters<typeof insertEvent>[0],
  content: Parameters<typeof insertEvent>[1],
): Promise<EndedEvent> {
  const hint = didYouMean(event.name, await eventTypeNameCache.get(event.organization)) || '.';
  const unknownTypeError = (end: string) =>
    new DomainError('not_found', `No event type has this name${hint} ${end}`);
  const bytes = countContentBytes(content);
  const so = await unroutedUsage.get(event.createdBy ?? '');
  if (so.events >= MAX_UNROUTED || so.bytes + bytes > MAX_UNROUTED_BYTES) throw unknownTypeError(NOT_KEPT);
  so.events += 1;
  so.bytes += bytes;
  const { event: unrouted } = await insertEvent(event, content);
  return { ended: unrouted, unrouted: unknownTypeError(KEPT) };
}
