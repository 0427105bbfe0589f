import { BUSINESS_EVENT_NAME, isBusinessEventName } from '../../../domain/events/business-event-name.ts';
import { invalidRequest, notFound } from '../../../domain/refusal.ts';
import { newSeed } from '../../../application/posting/id-generator.ts';
import { insertEvent, loadEvent, reopenEvent } from '../../../store/records/business-events.ts';
import type { EventDocument } from '../../../store/records/business-events.ts';
import { findEventTypeFor } from '../../../store/records/eventtypes.ts';
import type { EventTypeDocument } from '../../../store/records/eventtypes.ts';
import { findEventByKey } from '../../../store/records/find-events.ts';
import { organizationContext } from '../../../store/records/organizations.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';
import { buildOutcomeResult } from './resource.ts';
import { runAdmittedEvent } from './run.ts';
import type { ReadyEvent } from './run.ts';
import { storeUnrouted } from './unrouted.ts';

/**
 * POST /events/{name}: stored first, then turned into messages by the nearest event type of that
 * name (spec 8). POST /events: a CloudEvent, which names itself.
 */
export async function createEvent(request: ApiRequest, api: Api): Promise<HandlerResult> {
  const { organization } = request.principal;
  const name = readEventName(request);
  return runAdmittedEvent({ organization, name }, api, async () => {
    const context = await organizationContext(organization);
    const type = context && (await findEventTypeFor(context.path, name));
    const { key } = request.event ?? {};
    const known = key && (await findEventByKey(key.digest, key.isSenders ?? false));
    return known ? repeatEvent(known, type, api) : storeEvent(request, { name, type }, api);
  });
}

function readEventName({ params, event }: ApiRequest): string {
  const name = params['name'] ?? event?.type;
  if (name === undefined) {
    throw invalidRequest('type', 'send a CloudEvent, or name the event in the path: POST /events/{name}');
  }
  // No event type can have another: it could never be run.
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
  api: Api,
): Promise<ReadyEvent | HandlerResult> {
  const { principal, ids, receivedAt } = request;
  const { user, organization, role, scope, trace } = principal;
  const { digest } = request.event?.key ?? {};
  const now = new Date(receivedAt);
  const event = {
    _id: ids.newId(),
    organization,
    name,
    ...(type ? { eventtype: type._id } : {}),
    ...(digest === undefined ? {} : { key: digest }),
    caller: { user, organization, role, scope, ...(trace === undefined ? {} : { trace }) },
    createdBy: user,
    createdAt: now,
    updatedAt: now,
  };
  const content = { body: JSON.stringify(request.body), seed: newSeed() };
  if (!type) return storeUnrouted(event, content, api);
  return { stored: await insertEvent(event, content), expression: type.jsonata ?? '' };
}

/** The same event again: it is run where that has come to nothing so far, and not stored twice. */
async function repeatEvent(
  event: EventDocument,
  type: EventTypeDocument | null,
  api: Api,
): Promise<ReadyEvent | HandlerResult> {
  if (event.status === 'processed' || event.status === 'ignored') return buildOutcomeResult(event, api);
  if (event.status !== 'received') {
    if (!type) return buildOutcomeResult(event, api);
    await reopenEvent(event, type._id);
  }
  const found = await loadEvent(event._id);
  if (!found) throw notFound('The event');
  return { stored: found };
}
