import Type from 'typebox';
import { EVENT_STATUSES, eventRecords, findEventBody } from '../../../store/records/business-events.ts';
import {
  EXAMPLE_IDS,
  Id,
  Owner,
  Time,
  about,
  idOf,
  madeAndChanged,
  named,
  object,
  oneOf,
} from '../../../schema/kinds.ts';
import { buildPaths } from '../../listing/paths.ts';
import { DomainError, notFound } from '../../../domain/errors.ts';
import type { EventDocument, EventOutcome } from '../../../store/records/business-events.ts';
import type { Reach } from '../../../store/queries/reach.ts';
import { buildErrorResponse } from '../../errors.ts';
import type { RecordSource } from '../../records/resource.ts';
import { createPresenter } from '../../../schema/record.ts';
import type { HandlerResult, Api } from '../../request.ts';

const SAMPLE_EVENT = { conversation: EXAMPLE_IDS.conversations, text: 'Your order is on its way.' };

export const eventInput = about(
  Type.Unknown(),
  'What happened: any JSON, as the expression of the event type takes it.',
  SAMPLE_EVENT,
);

const cloudEvent = object('CloudEvent', 'A business event as a CloudEvent 1.0, in structured form.', {
  specversion: about(Type.Literal('1.0'), 'The version of CloudEvents.'),
  id: about(
    Type.String(),
    'Names the event, together with `source`: the same again is the same event.',
    'A-17',
  ),
  source: about(Type.String(), 'Where it happened.', '/shop'),
  type: about(
    Type.String(),
    'What happened: the name of the event, where the path has none.',
    'order.shipped',
  ),
  data: Type.Optional(about(Type.Unknown(), 'The body; null where absent.', SAMPLE_EVENT)),
});

/** Media types besides JSON. */
export const eventTypes = {
  'application/cloudevents+json': cloudEvent,
  'application/x-www-form-urlencoded': named(
    'FormEvent',
    Type.Record(Type.String(), Type.String(), {
      description:
        'A business event as a form. A field that is there several times is the list of its texts.',
      examples: [SAMPLE_EVENT],
    }),
  ),
};

const outcome = {
  id: idOf('events', 'The id of the event.'),
  status: about(
    oneOf(EVENT_STATUSES),
    'What became of it: `processed` has posted, `ignored` had nothing to post, `failed` says why in `error`, `unrouted` waits for an event type.',
    'processed',
  ),
  conversations: about(Type.Array(Id), 'The conversations that it posted into.', [EXAMPLE_IDS.conversations]),
  messages: about(Type.Array(Id), 'The messages that it posted.', [EXAMPLE_IDS.messages]),
};

export const eventOutcomeSchema = object('BusinessEventOutcome', 'What became of a business event.', outcome);

export const eventSchema = object('BusinessEvent', 'A business event, with what became of it.', {
  ...outcome,
  organization: Owner,
  name: about(Type.String(), 'The name of its event type.', 'order.created'),
  eventtype: Type.Optional(idOf('eventtypes', 'Its event type; none where it is `unrouted`.')),
  body: Type.Optional(
    about(Type.Unknown(), 'What was sent. Lists leave out bodies above 16 KiB.', SAMPLE_EVENT),
  ),
  error: Type.Optional(
    object('BusinessEventError', 'Why it failed.', {
      message: about(Type.String(), 'In words.', 'messages.0.text: is required'),
      details: Type.Optional(
        about(
          Type.Array(
            object('BusinessEventErrorDetail', 'What is wrong at one place of the result.', {
              path: about(Type.String(), 'The place, dotted.', 'messages.0.text'),
              message: about(Type.String(), 'What is wrong there.', 'is required'),
            }),
          ),
          'The places that are wrong.',
        ),
      ),
    }),
  ),
  ...madeAndChanged,
  processedAt: Type.Optional(about(Time, 'When it was run last.')),
});

const eventPaths = buildPaths(eventSchema, [
  'body',
  'error',
  'error.message',
  'error.details',
  'error.details.path',
  'error.details.message',
]);

const presentEvent = createPresenter(eventSchema);

export const events: RecordSource<EventDocument> = {
  name: 'events',
  schema: eventSchema,
  paths: eventPaths,
  present: (event) => ({
    ...presentEvent(event),
    body: event.body === undefined ? undefined : (JSON.parse(event.body) as unknown),
  }),
  find: findWithContent,
  findMany: eventRecords.findMany,
  list: eventRecords.list,
};

async function findWithContent(reach: Reach, id: string): Promise<EventDocument | null> {
  const event = await eventRecords.find(reach, id);
  if (!event) return null;
  return { ...event, body: event.body ?? (await findEventBody(event._id)) };
}

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
