import { notFound } from '../../../domain/refusal.ts';
import { evaluateEvent } from '../../../business-events/evaluate-event.ts';
import { eventLine } from '../../../business-events/event-line.ts';
import { rehearseEvent } from '../../../business-events/prepare-event.ts';
import type { PreparedPart } from '../../../business-events/prepare-event.ts';
import { partsOf } from '../../../business-events/result-parts.ts';
import { eventTypeRecords } from '../../../store/records/eventtypes.ts';
import { passing } from '../../limits/door.ts';
import { whatOf } from '../../records/resource.ts';
import type { Answer, Api, ApiRequest } from '../../request.ts';
import { eventTypes } from './eventtypes.ts';

/**
 * POST /eventtypes/{id}/preview: what an event with this body would post now. Nothing is stored.
 */
export async function previewEvent(request: ApiRequest, api: Api): Promise<Answer> {
  const { principal, id } = request;
  const type = await eventTypeRecords.find(principal.reach, id);
  if (!type) throw notFound(whatOf(eventTypes));
  const { expressions, config, doors } = api;
  const { name, jsonata: expression } = type;
  const event = { name, expression, body: JSON.stringify(request.body), reach: principal.reach };
  const line = await eventLine(principal.reach.organization, name);
  const result = await passing(doors.expressions, line, (spent) =>
    evaluateEvent({ ...event, spent }, { expressions, publicUrl: config.publicUrl }),
  );
  const parts = await partsOf(result);
  const prepared = await rehearseEvent(parts, { request, deps: api.posting });
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
