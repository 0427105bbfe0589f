import { DomainError } from '../../../domain/errors.ts';
import type { EventDocument } from '../../../store/records/business-events.ts';
import { errorAnswer } from '../../errors.ts';
import type { Resource } from '../../records/resource.ts';
import { shown } from '../../../domain/shown.ts';
import type { Answer, Api } from '../../request.ts';

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

export const events: Resource<EventDocument> = {
  path: '/events',
  what: 'The event',
  present: (event) => ({
    ...shown(event, FIELDS),
    ...(event.body === undefined ? {} : { body: JSON.parse(event.body) as unknown }),
  }),
};

/**
 * What became of an event: 200 with what it posted, or 422 with the reason. Both say where its
 * record is.
 */
export function outcomeAnswer(
  { _id, status, conversations, messages, error }: EventDocument,
  { config }: Pick<Api, 'config'>,
): Answer {
  const headers = { Location: `${config.publicUrl}/v2/events/${_id}` };
  if (status === 'failed') {
    const { message = 'The event failed.', details } = error ?? {};
    const answer = errorAnswer(new DomainError('unprocessable', message, details ? { details } : {}));
    return { ...answer, headers: { ...answer.headers, ...headers } };
  }
  return { status: 200, body: { id: _id, status, conversations, messages }, headers };
}
