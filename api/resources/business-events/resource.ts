import { DomainError } from '../../../domain/errors.ts';
import { notFound } from '../../../domain/refusal.ts';
import { eventRecords, findEventBody } from '../../../store/records/business-events.ts';
import type { EventDocument, EventOutcome } from '../../../store/records/business-events.ts';
import type { Reach } from '../../../store/queries/reach.ts';
import { buildErrorResponse } from '../../errors.ts';
import type { RecordSource } from '../../records/resource.ts';
import { presentRecord } from '../../../domain/shown.ts';
import type { HandlerResult, Api } from '../../request.ts';
import { eventPaths, eventSchema } from './schema.ts';

const FIELDS = [
  'organization',
  'name',
  'eventtype',
  'status',
  'conversations',
  'messages',
  'error',
  'processedAt',
  'createdBy',
  'createdAt',
  'updatedAt',
] as const;

export const events: RecordSource<EventDocument> = {
  name: 'events',
  schema: eventSchema,
  paths: eventPaths,
  present: (event) => ({
    ...presentRecord(event, FIELDS),
    ...(event.body === undefined ? {} : { body: JSON.parse(event.body) as unknown }),
  }),
  find: findWithContent,
  findMany: eventRecords.findMany,
  list: eventRecords.list,
};

/** With its body, however large. */
async function findWithContent(reach: Reach, id: string): Promise<EventDocument | null> {
  const event = await eventRecords.find(reach, id);
  if (!event) return null;
  const body = event.body ?? (await findEventBody(event._id));
  return { ...event, ...(body === undefined ? {} : { body }) };
}

/**
 * What became of an event: 200 with what it posted, 422 with the reason, or 404 where no event type
 * is for it. All say where its record is.
 */
export function buildOutcomeResult(
  { _id, status, conversations, messages, error }: EventOutcome & Pick<EventDocument, '_id'>,
  { config }: Pick<Api, 'config'>,
  unrouted = notFound('The event type'),
): HandlerResult {
  const headers = { Location: `${config.publicUrl}/v2/events/${_id}` };
  if (status === 'unrouted') {
    const answer = buildErrorResponse(unrouted);
    return { ...answer, headers: { ...answer.headers, ...headers } };
  }
  if (status === 'failed') {
    const { message = 'The event failed.', details } = error ?? {};
    const answer = buildErrorResponse(new DomainError('unprocessable', message, details ? { details } : {}));
    return { ...answer, headers: { ...answer.headers, ...headers } };
  }
  return { status: 200, body: { id: _id, status, conversations, messages }, headers };
}
