import Type from 'typebox';
import { EVENT_STATUSES, eventRecords, findSentContent } from '../../../store/records/business-events.ts';
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
import { definedFields } from '../../../domain/record-fields.ts';
import { buildErrorResponse } from '../../errors.ts';
import type { RecordSource } from '../../records/resource.ts';
import { createPresenter } from '../../../schema/record.ts';
import type { HandlerResult, Api } from '../../request.ts';

const SAMPLE_EVENT = { conversation: EXAMPLE_IDS.conversations, text: 'Your order is on its way.' };

export const eventInput = about(
  Type.Unknown(),
  'The event: any JSON that the expression of the event type accepts.',
  SAMPLE_EVENT,
);

const cloudEvent = object('CloudEvent', 'A business event as a CloudEvent 1.0, in structured form.', {
  specversion: about(Type.Literal('1.0'), 'The version of CloudEvents.'),
  id: about(
    Type.String(),
    'The id of the event at the `source`. An equal id and source are the same event.',
    'A-17',
  ),
  source: about(Type.String(), 'The source of the event.', '/shop'),
  type: about(Type.String(), 'The type of the event: its name, if the path has no name.', 'order.shipped'),
  data: Type.Optional(about(Type.Unknown(), 'The body. Default null.', SAMPLE_EVENT)),
});

export const eventTypes = {
  'application/cloudevents+json': cloudEvent,
  'application/x-www-form-urlencoded': named(
    'FormEvent',
    Type.Record(Type.String(), Type.String(), {
      description: 'A business event as a form. A repeated field becomes the list of its texts.',
      examples: [SAMPLE_EVENT],
    }),
  ),
};

/** See spec 8.2. */
export const resultHint = about(
  Type.String(),
  'The fields of the result that were ignored, and their probable names.',
  'result.messages.0.isBackChannel: is not accepted here; did you mean isBackchannel?',
);

const outcome = {
  id: idOf('events', 'The id of the event.'),
  status: about(
    oneOf(EVENT_STATUSES),
    'The outcome. `processed`: posted. `ignored`: nothing to post. `failed`: see `error`. `unrouted`: waits for an event type.',
    'processed',
  ),
  conversations: about(Type.Array(Id), 'The conversations with messages of the event.', [
    EXAMPLE_IDS.conversations,
  ]),
  messages: about(Type.Array(Id), 'The posted messages.', [EXAMPLE_IDS.messages]),
  hint: Type.Optional(resultHint),
};

export const eventOutcomeSchema = object('BusinessEventOutcome', 'The outcome of a business event.', outcome);

export const EventErrorDetail = object('BusinessEventErrorDetail', 'A problem in a field of the result.', {
  path: about(Type.String(), 'The dotted path of the field.', 'messages.0.text'),
  message: about(Type.String(), 'The problem of the field.', 'is required'),
});

const EventError = object('BusinessEventError', 'The reason why the event failed.', {
  message: about(Type.String(), 'The reason in words.', 'messages.0.text: is required'),
  details: Type.Optional(about(Type.Array(EventErrorDetail), 'The invalid fields.')),
});

export const eventHeaders = Type.Record(Type.String(), Type.String(), {
  description: 'The headers of the request that expressions may read, in lower case.',
  examples: [{ 'x-github-event': 'issues' }],
});

export const eventAttributes = Type.Record(Type.String(), Type.Unknown(), {
  description: 'The attributes of a CloudEvent, with its extensions: texts, numbers, true or false.',
  examples: [{ id: 'A-17', source: '/shop', type: 'order.shipped', subject: 'orders/17' }],
});

/** See spec 8.11. */
export const eventContext = object(
  'EventContext',
  'Headers and attributes of the request that sent the event.',
  {
    headers: Type.Optional(eventHeaders),
    cloudEvent: Type.Optional(eventAttributes),
  },
);

export const eventSchema = object('BusinessEvent', 'A business event with its outcome.', {
  ...outcome,
  organization: Owner,
  name: about(Type.String(), 'The name of the event type.', 'order.created'),
  eventtype: Type.Optional(idOf('eventtypes', 'The event type. Absent if the event is `unrouted`.')),
  body: Type.Optional(about(Type.Unknown(), 'The body. Lists leave out bodies above 16 KiB.', SAMPLE_EVENT)),
  context: Type.Optional(about(eventContext, 'The headers and attributes in `$event`. Lists leave it out.')),
  error: Type.Optional(EventError),
  repeats: Type.Optional(
    about(
      Type.Integer(),
      'The number of repetitions: signed posts without an id and with the same bytes, within 24 hours.',
      1,
    ),
  ),
  ...madeAndChanged,
  processedAt: Type.Optional(about(Time, 'The time of the last run.')),
});

const eventPaths = buildPaths(eventSchema, [
  'body',
  'context',
  'context.headers',
  'context.headers.*',
  'context.cloudEvent',
  'context.cloudEvent.*',
  'error',
  'error.message',
  'error.details',
  'error.details.path',
  'error.details.message',
]);

const presentEvent = createPresenter(eventSchema);

interface ShownEvent extends EventDocument {
  /** JSON. Set where one event is fetched. */
  context?: string;
}

export const events: RecordSource<ShownEvent> = {
  name: 'events',
  schema: eventSchema,
  paths: eventPaths,
  present: (event) => ({
    ...presentEvent(event),
    body: parseStored(event.body),
    context: parseStored(event.context),
  }),
  find: findWithContent,
  findMany: eventRecords.findMany,
  list: eventRecords.list,
};

function parseStored(json: string | undefined): unknown {
  return json === undefined ? undefined : JSON.parse(json);
}

async function findWithContent(reach: Reach, id: string): Promise<ShownEvent | null> {
  const event = await eventRecords.find(reach, id);
  if (!event) return null;
  const content = await findSentContent(event._id);
  return { ...event, ...definedFields({ body: event.body ?? content?.body, context: content?.context }) };
}

export function buildOutcomeResult(
  { _id, status, conversations, messages, error, hint }: EventOutcome & Pick<EventDocument, '_id'>,
  { config }: Pick<Api, 'config'>,
  unrouted = notFound('The event type'),
): HandlerResult {
  const headers = { Location: locateEvent(_id, config) };
  if (status === 'unrouted') {
    const answer = buildErrorResponse(unrouted);
    return { ...answer, headers: { ...answer.headers, ...headers } };
  }
  if (status === 'failed') {
    const { message = 'The event failed.', details } = error ?? {};
    const answer = buildErrorResponse(new DomainError('unprocessable', message, details ? { details } : {}));
    return { ...answer, headers: { ...answer.headers, ...headers } };
  }
  const body = { id: _id, status, conversations, messages, ...definedFields({ hint }) };
  return { status: 200, body, headers, ...(hint === undefined ? {} : { hints: [hint] }) };
}

export function locateEvent(id: string, { publicUrl }: Pick<Api['config'], 'publicUrl'>): string {
  return `${publicUrl}/v2/events/${id}`;
}
