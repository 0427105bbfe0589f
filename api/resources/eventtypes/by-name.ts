import type { Static } from 'typebox';
import { choosePermittedOrganization } from '../../../application/auth/principal.ts';
import { BUSINESS_EVENT_NAME, isBusinessEventName } from '../../../domain/events/business-event.ts';
import { invalidRequest, unavailable } from '../../../domain/errors.ts';
import { object } from '../../../schema/kinds.ts';
import { fillFields } from '../../../schema/record.ts';
import { isDuplicateKey } from '../../../store/queries/insert.ts';
import { eventTypeRecord, eventTypeRecords, findEventTypeFor } from '../../../store/records/eventtypes.ts';
import { publishEvent } from '../../pipeline/publish.ts';
import { buildCreatedResult, buildRecordResult } from '../../records/if-match.ts';
import type { Api, ApiRequest, HandlerResult } from '../../request.ts';
import { eventTypes } from './eventtypes.ts';
import { assertValidExpression } from './expression.ts';

const { jsonata, description, organization } = eventTypeRecord.input.properties;

export const eventTypeByName = object('EventTypeByName', 'The whole event type, without its name.', {
  organization,
  description,
  jsonata,
});

const MAX_TRIES = 20;

/**
 * PUT /eventtypes/by-name/{name}: creates the event type of this name, or replaces it and keeps its
 * ingest address (spec 8.1).
 */
export async function putEventType(
  request: ApiRequest<Static<typeof eventTypeByName>>,
  api: Api,
): Promise<HandlerResult> {
  const { principal, body, params, ids, receivedAt } = request;
  const { name = '' } = params;
  if (!isBusinessEventName(name)) throw invalidRequest('name', `must be ${BUSINESS_EVENT_NAME.words}`);
  if (body.jsonata !== undefined) await assertValidExpression(body.jsonata, request, api);
  const within = await choosePermittedOrganization(principal, body.organization);
  const now = new Date(receivedAt);
  const { jsonata, description } = body;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const stored = await findEventTypeFor([within], name);
    if (stored) {
      const whole = { jsonata: jsonata ?? null, description: description ?? null };
      const replaced = await eventTypeRecords.update(principal.reach, stored._id, whole);
      if (replaced)
        return publishResult('eventtype.update', buildRecordResult(eventTypes, replaced), { request, api });
      continue;
    }
    const fresh = {
      ...fillFields(eventTypeRecord.fields, { name, jsonata, description }),
      ...{ _id: ids.newId(), organization: within },
      ...{ createdBy: principal.user, createdAt: now, updatedAt: now },
    };
    const isMade = await eventTypeRecords.insert(fresh).then(() => true, falseIfTaken);
    if (isMade)
      return publishResult('eventtype.create', buildCreatedResult(eventTypes, fresh, api), { request, api });
  }
  throw unavailable();
}

function falseIfTaken(error: unknown): false {
  if (isDuplicateKey(error)) return false;
  throw error;
}

async function publishResult(
  event: 'eventtype.create' | 'eventtype.update',
  result: HandlerResult,
  context: { request: ApiRequest; api: Api },
): Promise<HandlerResult> {
  await publishEvent(event, { subject: { record: result.body as Record<string, unknown> }, ...context });
  return result;
}
