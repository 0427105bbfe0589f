import Type from 'typebox';
import type { TProperties, TSchema } from 'typebox';
import { MAX_TOKEN_CHARACTERS } from '../../application/auth/jwt.ts';
import { ATTEMPT_OUTCOMES } from '../../domain/delivery/delivery.ts';
import { RECEIPT_STATUSES } from '../../domain/channels/receipt.ts';
import { CHANGES } from '../../domain/events/event-pattern.ts';
import type { EventData } from '../../domain/events/event-record.ts';
import { resourceNames, resourceRow } from '../../domain/resources.ts';
import type { ResourceName } from '../../domain/resources.ts';
import { EXAMPLE_IDS, Id, Time, about, object, oneOf, text } from '../../schema/kinds.ts';
import { messageInput } from '../../schema/message-body.ts';
import { getResourceSchema } from '../listing/catalog.ts';
import { EventErrorDetail } from '../resources/business-events/schema.ts';
import { linksSchema } from '../resources/links/get.ts';
import { buildExample } from './examples.ts';
import type { NamedSchemas } from './schemas.ts';

const API = 'https://example.com/v2';

const Activity = object('Activity', 'The event as an activity of ActivityStreams 2.', {
  '@context': about(Type.Literal('https://www.w3.org/ns/activitystreams'), 'The JSON-LD context. Constant.'),
  type: string('The type of the activity.', 'Create'),
  actor: object('ActivityActor', 'The author of the activity.', {
    type: string('The type of the actor in ActivityStreams 2.', 'Person'),
    id: string('The address of the actor in this API.', `${API}/contacts/${EXAMPLE_IDS.contacts}`),
  }),
  object: object('ActivityObject', 'The object of the activity.', {
    type: string('The type of the object in ActivityStreams 2.', 'Note'),
    id: Type.Optional(
      string('The address of the object in this API.', `${API}/messages/${EXAMPLE_IDS.messages}`),
    ),
    url: Type.Optional(string('The page that shows the object.', 'https://example.com/c/Zm9vYmFyYmF6cXV4')),
    name: Type.Optional(string('The name of the object.', 'Ada')),
    content: Type.Optional(string('The text of the object.', 'Hello')),
    mediaType: Type.Optional(string('The media type of the text.', 'text/plain')),
  }),
  published: about(Time, 'The time of the event.'),
  summary: string('The activity in words.', 'The contact created a message.'),
});

function string(description: string, example: string) {
  return about(Type.String(), description, example);
}

const { messages: _, ...CONVERSATION_FIELDS } = getResourceSchema('conversations').properties;
const CONTACT_FIELDS = getResourceSchema('contacts').properties;

const ConversationSnapshot = object(
  'ConversationSnapshot',
  'A conversation at the time of the event, without its list of messages.',
  CONVERSATION_FIELDS,
);

const ContactSnapshot = object(
  'ContactSnapshot',
  'A contact at the time of the event. Only ids if the contact was deleted with its conversation.',
  Object.fromEntries(
    Object.entries(CONTACT_FIELDS).map(([name, one]) => [name, name === 'id' ? one : Type.Optional(one)]),
  ),
);

const ServiceFailure = object(
  'ServiceFailure',
  'The reason why the event was given up, or the service became inactive.',
  {
    reason: string('The reason in words.', 'The receiver responded with 500.'),
    delivery: string('The last attempted delivery.', EXAMPLE_IDS.deliveries),
    event: string('The event of the delivery.', 'message.create.contact.chat'),
    outcome: about(oneOf(ATTEMPT_OUTCOMES), 'The outcome of the attempt.', 'rejected'),
    at: about(Time, 'The time of the attempt.'),
    status: Type.Optional(about(Type.Integer(), 'The HTTP status of the response.', 500)),
  },
);

const EventTypeFailure = object('EventTypeFailure', 'The error of an event that failed.', {
  message: string('The error in words.', 'messages.0.text: is required'),
  details: Type.Optional(
    about(Type.Array(EventErrorDetail), 'The invalid fields of the result, 20 at most.'),
  ),
  event: string('The event that failed. `GET /events/{id}` returns its body.', EXAMPLE_IDS.events),
  name: string('The name of the event.', 'order.shipped'),
  at: about(Time, 'The time of arrival.'),
  count: about(
    Type.Integer(),
    'The number of failed events of the type since the last such notification, including this event.',
    1,
  ),
});

const FAILURES: Partial<Record<ResourceName, TSchema>> = {
  services: ServiceFailure,
  eventtypes: EventTypeFailure,
};

/** See spec 15.4. */
const DeliveryReceipt = object(
  'DeliveryReceipt',
  'The delivery status of a message that a channel carries.',
  {
    status: about(oneOf(RECEIPT_STATUSES), 'The current status of the message.', 'delivered'),
    at: about(Time, 'The time of the status.'),
    service: about(Id, 'The service that carries the message.', EXAMPLE_IDS.services),
    externalId: Type.Optional(string("The provider's id of the message.", 'SM1f0c')),
    error: Type.Optional(
      object('ReceiptError', 'The reason why the delivery failed.', {
        code: string("The provider's code, or a code of spec 15.3.", '21211'),
        message: string('The reason in words.', 'The number is invalid.'),
      }),
    ),
  },
);

/** See spec 7.9. */
const WebhookReply = object('WebhookReply', 'Messages to post into the conversation of the event.', {
  token: about(text({ max: MAX_TOKEN_CHARACTERS }), "The author's access token or API key.", 'plk_…'),
  messages: about(Type.Array(messageInput), 'The messages, in order.'),
});

const CONVERSATION = { conversation: ConversationSnapshot, links: linksSchema };
const PAST_TENSE: Readonly<Record<string, string>> = {
  create: 'Created',
  update: 'Updated',
  delete: 'Deleted',
  login: 'LoggedIn',
  error: 'Failed',
  receipt: 'Receipt',
};

/** See spec 7.6. */
const PREVIOUS = about(
  Type.Record(Type.String(), Type.Unknown()),
  'The previous values of the changed fields. Null: the field was absent.',
  { name: 'Ada' },
);

interface EventKind {
  component: string;
  schema: TSchema;
  example: string;
}

function eventKinds(): [string, EventKind][] {
  return resourceNames().flatMap((resource) => {
    const { event } = resourceRow(resource);
    if (!event) return [];
    return [...CHANGES, ...(event.also ?? [])].map((operation): [string, EventKind] => {
      const name = `${event.name}.${operation}`;
      return [name, eventKind(resource, { name, operation })];
    });
  });
}

function eventKind(
  resource: ResourceName,
  { name, operation }: { name: string; operation: string },
): EventKind {
  const words = resourceRow(resource).noun.replace(/(?:^| )(\w)/g, (_, first: string) => first.toUpperCase());
  const component = words + (PAST_TENSE[operation] ?? '');
  const example = resource === 'messages' ? `${name}.contact.chat` : name;
  const messageEvent = about(
    Type.String({ pattern: `^message\\.${operation}\\.` }),
    'The event, with the types of the conversation and of the message.',
    example,
  );
  const schema = object(component, `The webhook body of \`${name}\`.`, {
    id: string(
      'The id of the event, the same in retries, in replays and for all services.',
      `${EXAMPLE_IDS[resource]}-1`,
    ),
    event: resource === 'messages' ? messageEvent : about(Type.Literal(name), 'The event.'),
    timestamp: about(Time, 'The time of the event.'),
    organization: about(Id, 'The organization of the event.', EXAMPLE_IDS.organizations),
    sequence: about(
      Type.Integer(),
      'The number of the event in its conversation, or in its organization if it has no conversation.',
      7,
    ),
    test: Type.Optional(about(Type.Literal(true), 'Marks an example sent by `POST /services/{id}/test`.')),
    activity: Activity,
    data: dataSchema(resource, operation),
  });
  return { component, schema, example };
}

function dataSchema(resource: ResourceName, operation: string): TSchema {
  const hasPrevious = operation === 'update' && resource !== 'messages';
  return Type.Object(
    {
      ...buildDataFields(resource, operation),
      ...(hasPrevious ? { previous: Type.Optional(PREVIOUS) } : {}),
    },
    { description: 'The records at the time of the event.' },
  );
}

export function buildDataExample(resource: ResourceName, operation: string): EventData {
  return buildExample(dataSchema(resource, operation)) as EventData;
}

function buildDataFields(resource: ResourceName, operation: string): TProperties {
  switch (resource) {
    case 'messages':
      return {
        message: getResourceSchema('messages'),
        ...(operation === 'receipt' ? { receipt: DeliveryReceipt } : CONVERSATION),
      };
    case 'conversations':
      return CONVERSATION;
    case 'contacts':
      return {
        contact: ContactSnapshot,
        conversation: Type.Optional(ConversationSnapshot),
        links: Type.Optional(linksSchema),
      };
    default:
      return {
        [resourceRow(resource).event?.name ?? '']: getResourceSchema(resource),
        ...(operation === 'error' && { error: FAILURES[resource] ?? ServiceFailure }),
      };
  }
}

/** See spec 7.6. */
export function buildWebhooks({ refer, components }: NamedSchemas): Record<string, object> {
  const kinds = eventKinds();
  const webhooks = Object.fromEntries(
    kinds.map(([name, { component, schema, example }]) => {
      const { test: _, ...event } = buildExample(schema) as Record<string, unknown>;
      const body = { ...event, event: example };
      const post = {
        operationId: `on${component}`,
        summary: `\`${name}\``,
        description: DELIVERY_DESCRIPTION,
        tags: ['webhooks'],
        security: [],
        parameters: WEBHOOK_HEADERS,
        requestBody: {
          required: true,
          content: { 'application/json': { schema: refer(schema), example: body } },
        },
        responses: RESPONSES(refer(WebhookReply)),
      };
      return [name, { post }];
    }),
  );
  components['WebhookEvent'] = {
    description: 'The body of any webhook. `event` is its type.',
    anyOf: kinds.map(([, { component }]) => ({ $ref: `#/components/schemas/${component}` })),
  };
  return webhooks;
}

const DELIVERY_DESCRIPTION =
  'Sent to every active service with a matching pattern and access to the event, at least once, in order of `sequence` per conversation. The receiver must respond 2xx within 20 seconds. Other responses are retried with backoff.';

const WEBHOOK_HEADERS = [
  headerParameter('webhook-id', 'The id of the event.', `${EXAMPLE_IDS.messages}-1`),
  headerParameter('webhook-timestamp', 'The time of sending, in seconds since 1970.', '1773480413'),
  headerParameter(
    'webhook-signature',
    'Standard Webhooks, with a secret only: `v1,` and the base64 HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}`.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
  headerParameter(
    'X-Hub-Signature',
    'With a secret only: `sha1=` and the hexadecimal HMAC-SHA1 of the body.',
    'sha1=b1ea4e7c1ca58a4a8c1ec9c0e3c2b0ae7ab12b0d',
  ),
];

function headerParameter(name: string, description: string, example: string): object {
  return { name, in: 'header', description, schema: { type: 'string' }, example };
}

const RESPONSES = (reply: object) => ({
  ...Object.fromEntries([200, 201, 202].map((status) => [status, arrived(reply)])),
  '2XX': { description: 'The event has arrived.' },
  410: { description: 'The receiver is gone: the service becomes `disabled`.' },
  '4XX': { description: 'The delivery is retried with backoff.' },
});

function arrived(reply: object) {
  return {
    description: 'The event has arrived. The messages of such a body are posted into the conversation.',
    content: {
      'application/json': {
        schema: reply,
        example: { token: 'plk_…', messages: [{ text: 'How can I help?', isBackchannel: false }] },
      },
    },
  };
}
