import Type from 'typebox';
import type { TProperties, TSchema } from 'typebox';
import { MAX_TOKEN_CHARACTERS } from '../../application/auth/jwt.ts';
import { ATTEMPT_OUTCOMES } from '../../domain/delivery/delivery.ts';
import { CHANGES } from '../../domain/events/event-pattern.ts';
import { resourceNames, resourceRow } from '../../domain/resources.ts';
import type { ResourceName } from '../../domain/resources.ts';
import { EXAMPLE_IDS, Id, Time, about, object, oneOf, text } from '../../schema/kinds.ts';
import { messageInput } from '../../schema/message-body.ts';
import { getResourceSchema } from '../listing/catalog.ts';
import { linksSchema } from '../resources/links/get.ts';
import { buildExample } from './examples.ts';
import type { NamedSchemas } from './schemas.ts';

const API = 'https://example.com/v2';

const Activity = object('Activity', 'The event as an activity of ActivityStreams 2.', {
  '@context': about(Type.Literal('https://www.w3.org/ns/activitystreams'), 'Always this.'),
  type: string('What was done.', 'Create'),
  actor: object('ActivityActor', 'Who did it.', {
    type: string('What they are in ActivityStreams 2.', 'Person'),
    id: string('Their address in this API.', `${API}/contacts/${EXAMPLE_IDS.contacts}`),
  }),
  object: object('ActivityObject', 'What it was done to.', {
    type: string('What it is in ActivityStreams 2.', 'Note'),
    id: Type.Optional(string('Its address in this API.', `${API}/messages/${EXAMPLE_IDS.messages}`)),
    url: Type.Optional(string('Where it is shown.', 'https://example.com/c/Zm9vYmFyYmF6cXV4')),
    name: Type.Optional(string('Its name.', 'Ada')),
    content: Type.Optional(string('Its text.', 'Hello')),
    mediaType: Type.Optional(string('The type of its text.', 'text/plain')),
  }),
  published: about(Time, 'When it happened.'),
  summary: string('The same in words.', 'The contact created a message.'),
});

function string(description: string, example: string) {
  return about(Type.String(), description, example);
}

const { messages: _, ...CONVERSATION_FIELDS } = getResourceSchema('conversations').properties;
const CONTACT_FIELDS = getResourceSchema('contacts').properties;

const ConversationSnapshot = object(
  'ConversationSnapshot',
  'A conversation as it was at that moment, without its list of messages.',
  CONVERSATION_FIELDS,
);

const ContactSnapshot = object(
  'ContactSnapshot',
  'A contact as it was at that moment. Of one that was deleted with its conversation, its ids alone.',
  Object.fromEntries(
    Object.entries(CONTACT_FIELDS).map(([name, one]) => [name, name === 'id' ? one : Type.Optional(one)]),
  ),
);

const ServiceFailure = object('ServiceFailure', 'Why the event was given up, or the service is out of use.', {
  reason: string('In words.', 'The receiver answered 500.'),
  delivery: string('The delivery that was tried last.', EXAMPLE_IDS.deliveries),
  event: string('Its event.', 'message.create.contact.chat'),
  outcome: about(oneOf(ATTEMPT_OUTCOMES), 'What came of the attempt.', 'rejected'),
  at: about(Time, 'When it was tried.'),
  status: Type.Optional(about(Type.Integer(), 'The HTTP status of the answer.', 500)),
});

/** See spec 7.9. */
const WebhookReply = object('WebhookReply', 'Messages to post into the conversation of the event.', {
  token: about(text({ max: MAX_TOKEN_CHARACTERS }), 'Who posts them: an access token or API key.', 'plk_…'),
  messages: about(Type.Array(messageInput), 'The messages, in order.'),
});

const CONVERSATION = { conversation: ConversationSnapshot, links: linksSchema };
const PAST_TENSE: Readonly<Record<string, string>> = {
  create: 'Created',
  update: 'Updated',
  delete: 'Deleted',
  login: 'LoggedIn',
  error: 'Failed',
};

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
  const schema = object(component, `What webhooks are sent for \`${name}\`.`, {
    id: string("The event's: the same over retries, replays and services.", `${EXAMPLE_IDS[resource]}-1`),
    event: resource === 'messages' ? messageEvent : about(Type.Literal(name), 'The event.'),
    timestamp: about(Time, 'When it happened.'),
    organization: about(Id, 'The organization that it happened in.', EXAMPLE_IDS.organizations),
    sequence: about(
      Type.Integer(),
      'Its place among the events of its conversation, or of its organization where it has none.',
      7,
    ),
    activity: Activity,
    data: Type.Object(buildDataFields(resource, operation), {
      description: 'The records as they were at that moment.',
    }),
  });
  return { component, schema, example };
}

function buildDataFields(resource: ResourceName, operation: string): TProperties {
  switch (resource) {
    case 'messages':
      return { message: getResourceSchema('messages'), ...CONVERSATION };
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
        ...(operation === 'error' && { error: ServiceFailure }),
      };
  }
}

/** See spec 7.6. */
export function buildWebhooks({ refer, components }: NamedSchemas): Record<string, object> {
  const kinds = eventKinds();
  const webhooks = Object.fromEntries(
    kinds.map(([name, { component, schema, example }]) => {
      const body = { ...(buildExample(schema) as object), event: example };
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
    description: 'Everything that a webhook may be sent: `event` says what it is.',
    anyOf: kinds.map(([, { component }]) => ({ $ref: `#/components/schemas/${component}` })),
  };
  return webhooks;
}

const DELIVERY_DESCRIPTION =
  'Sent to every active service whose patterns match and that may hear of it, at least once, in order of `sequence` per conversation. A receiver answers 2xx within 20 seconds; anything else is tried again, by the ladder.';

const WEBHOOK_HEADERS = [
  headerParameter('webhook-id', 'The id of the event.', `${EXAMPLE_IDS.messages}-1`),
  headerParameter('webhook-timestamp', 'When it was sent, in seconds since 1970.', '1773480413'),
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
  200: {
    description: 'It has arrived. With a body of this form, its messages are posted into the conversation.',
    content: {
      'application/json': {
        schema: reply,
        example: { token: 'plk_…', messages: [{ text: 'How can I help?', isBackchannel: false }] },
      },
    },
  },
  '2XX': { description: 'It has arrived.' },
  410: { description: 'Nobody is there any more: the service becomes `disabled`.' },
  '4XX': { description: 'It is tried again, by the ladder.' },
});
