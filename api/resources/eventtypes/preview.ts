import type { Static } from 'typebox';
import { DomainError, notFound } from '../../../domain/errors.ts';
import { toFields } from '../../../domain/json.ts';
import { definedFields, pick } from '../../../domain/record-fields.ts';
import {
  buildEventFacts,
  selectAttributes,
  selectEventHeaders,
} from '../../../domain/events/event-context.ts';
import type { EventContext } from '../../../domain/events/event-context.ts';
import { evaluateEvent } from '../../../application/business-events/evaluate-event.ts';
import {
  ignoredHint,
  loadEventPath,
  parseResultParts,
} from '../../../application/business-events/result-parts.ts';
import { dryRunResult } from '../../../application/business-events/apply-result.ts';
import type { PreparedPart } from '../../../application/business-events/apply-result.ts';
import type { ResultPart } from '../../../application/business-events/result-parts.ts';
import { eventTypeRecords } from '../../../store/records/eventtypes.ts';
import { describeResource } from '../../records/resource.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';
import { eventTypes } from './eventtypes.ts';
import type { expressionDraftInput } from './eventtypes.ts';
import { assertValidExpression } from './expression.ts';

export async function previewEvent(request: ApiRequest, api: Api): Promise<HandlerResult> {
  const { principal, id, body, event } = request;
  const type = await eventTypeRecords.find(principal.reach, id);
  if (!type) throw notFound(describeResource(eventTypes));
  return preview(request, api, {
    ...{ name: type.name, expression: type.jsonata, body },
    context: event?.context ?? {},
  });
}

export async function previewDraft(
  request: ApiRequest<Static<typeof expressionDraftInput>>,
  api: Api,
): Promise<HandlerResult> {
  const { jsonata: expression, body, event = {} } = request.body;
  const { name = DRAFT_NAME, headers, cloudEvent } = event;
  await assertValidExpression(expression, request, api);
  return preview(request, api, {
    ...{ name, expression, body },
    context: {
      headers: selectEventHeaders(headers ?? {}),
      ...(cloudEvent && { cloudEvent: selectAttributes(Object.entries(cloudEvent)) }),
    },
  });
}

const DRAFT_NAME = 'preview';

interface PreviewInput {
  name: string;
  expression: string | undefined;
  body: unknown;
  context: EventContext;
}

async function preview(
  request: ApiRequest,
  api: Api,
  { name, expression, body, context }: PreviewInput,
): Promise<HandlerResult> {
  const { principal, ids, receivedAt } = request;
  const { expressions, config, admissionQueues } = api;
  const accepted = {
    _id: ids.newId(),
    name,
    organization: principal.organization,
    createdAt: new Date(receivedAt),
  };
  const event = buildEventFacts(accepted, context);
  const evaluated = { name, expression, event, body: JSON.stringify(body), reach: principal.reach };
  const path = await loadEventPath(principal.reach.organization, name);
  const result = await admissionQueues.expressions.run(path, (spent) =>
    evaluateEvent({ ...evaluated, spent }, { expressions, publicUrl: config.publicUrl }),
  );
  const parts = await parseResultParts(result);
  const prepared = await dryRunResult(parts, { ...request, origin: 'event', deps: api.posting });
  const results = prepared.map((one, at) => presentPart(one, parts[at]));
  const hint = ignoredHint(parts);
  if (request.isStrict && hint !== undefined) throw new DomainError('invalid_request', hint);
  return {
    status: 200,
    body: {
      status: results.length === 0 ? 'ignored' : 'processed',
      event,
      results,
      ...definedFields({ hint }),
    },
    ...(hint === undefined ? {} : { hints: [hint] }),
  };
}

// Omits ids and times, because posting assigns others.
function presentPart({ place, isNew = false, profile, post }: PreparedPart, part: ResultPart | undefined) {
  const contact = part?.kind === 'upsert' ? toFields(part.input.contact) : {};
  const given = definedFields(pick(contact, ['externalId', 'meta', 'settings']));
  return {
    created: isNew,
    ...(isNew ? {} : { conversation: place.id }),
    ...(profile ? { contact: { ...given, profile } } : {}),
    messages: post.messages.map(({ id, slug, facts, createdAt, ...message }) => message),
  };
}
