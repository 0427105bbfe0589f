import type { Static } from 'typebox';
import { notFound } from '../../../domain/refusal.ts';
import { evaluateEvent } from '../../../application/business-events/evaluate-event.ts';
import { eventLine } from '../../../application/business-events/event-line.ts';
import { dryRunEvent } from '../../../application/business-events/prepare-event.ts';
import type { PreparedPart } from '../../../application/business-events/prepare-event.ts';
import { partsOf } from '../../../application/business-events/result-parts.ts';
import { eventTypeRecords } from '../../../store/records/eventtypes.ts';
import { passing } from '../../limits/door.ts';
import { whatOf } from '../../records/resource.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';
import { eventTypes } from './eventtypes.ts';
import type { expressionDraftInput } from './schema.ts';
import { refuseUnreadable } from './expression.ts';

/**
 * POST /eventtypes/{id}/preview: what an event with this body would post now. Nothing is stored.
 */
export async function previewEvent(request: ApiRequest, api: Api): Promise<HandlerResult> {
  const { principal, id, body } = request;
  const type = await eventTypeRecords.find(principal.reach, id);
  if (!type) throw notFound(whatOf(eventTypes));
  return preview(request, api, { name: type.name, expression: type.jsonata, body });
}

/**
 * POST /eventtypes/preview: what an expression would make of an event, while somebody still writes
 * it. Nothing is stored.
 */
export async function previewDraft(
  request: ApiRequest<Static<typeof expressionDraftInput>>,
  api: Api,
): Promise<HandlerResult> {
  const { jsonata: expression, body } = request.body;
  await refuseUnreadable(expression, request, api);
  return preview(request, api, { name: 'preview', expression, body });
}

interface Tried {
  name: string;
  expression: string | undefined;
  body: unknown;
}

async function preview(
  request: ApiRequest,
  api: Api,
  { name, expression, body }: Tried,
): Promise<HandlerResult> {
  const { principal } = request;
  const { expressions, config, doors } = api;
  const event = { name, expression, body: JSON.stringify(body), reach: principal.reach };
  const line = await eventLine(principal.reach.organization, name);
  const result = await passing(doors.expressions, line, (spent) =>
    evaluateEvent({ ...event, spent }, { expressions, publicUrl: config.publicUrl }),
  );
  const parts = await partsOf(result);
  const prepared = await dryRunEvent(parts, { request, deps: api.posting });
  const results = prepared.map(wouldPost);
  return { status: 200, body: { status: results.length === 0 ? 'ignored' : 'processed', results } };
}

// Names and times are left out: an event has its own.
function wouldPost({ conversation, isNew, profile, post }: PreparedPart) {
  return {
    created: isNew,
    ...(isNew ? {} : { conversation }),
    ...(profile ? { contact: { profile } } : {}),
    messages: post.messages.map(({ id, slug, facts, createdAt, ...message }) => message),
  };
}
