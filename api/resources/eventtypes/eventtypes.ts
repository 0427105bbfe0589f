import {
  Expression,
  eventTypeRecord,
  eventTypeRecords,
  findEventTypeFor,
} from '../../../store/records/eventtypes.ts';
import { recordKind } from '../../records/kind.ts';
import { assertValidExpression } from './expression.ts';
import Type from 'typebox';
import { BUSINESS_EVENT_NAME, SIGNATURE_KINDS } from '../../../domain/events/business-event.ts';
import { HMAC_ALGORITHMS, HMAC_ENCODINGS } from '../../../domain/events/hmac-signature.ts';
import {
  EXAMPLE_IDS,
  Address,
  Time,
  about,
  always,
  idOf,
  object,
  oneOf,
  patterned,
  referenceTo,
  text,
} from '../../../schema/kinds.ts';
import { eventAttributes, eventContext, eventHeaders, resultHint } from '../business-events/schema.ts';
import { contactProfile, upsertFields } from '../../../schema/conversation-body.ts';
import { messageFields } from '../../../schema/message-body.ts';
import { pick } from '../../../domain/record-fields.ts';

const { pattern, ...rules } = BUSINESS_EVENT_NAME;

export const expressionDraftInput = object(
  'ExpressionDraft',
  'An unsaved expression, and an event to evaluate it on.',
  {
    jsonata: Expression,
    body: about(Type.Unknown(), 'The body of the event.', {
      conversation: EXAMPLE_IDS.conversations,
      text: 'Your order is on its way.',
    }),
    event: Type.Optional(
      object('EventContextDraft', 'An example of `$event`. Its id, time and organization are set.', {
        name: Type.Optional(patterned(pattern, { ...rules, example: 'order.shipped' })),
        headers: Type.Optional(eventHeaders),
        cloudEvent: Type.Optional(eventAttributes),
      }),
    ),
  },
);

const { type, isBackchannel, touchpoint, serviceType } = messageFields;

/** See spec 8.1. */
export const previewSchema = object('EventPreview', 'The messages that an event would post.', {
  status: about(oneOf(['processed', 'ignored']), 'The outcome that the event would have.'),
  event: object('EventFacts', 'The value of `$event` in the preview.', {
    id: idOf('events', 'A generated id, which no event has.'),
    name: about(Type.String(), 'The name of the event.', 'order.shipped'),
    time: about(Time, 'The time of acceptance.'),
    organization: idOf('organizations', 'The organization of the sender.'),
    ...eventContext.properties,
  }),
  results: about(
    Type.Array(
      object('EventPreviewResult', 'The messages that would be posted into one conversation.', {
        created: about(Type.Boolean(), 'Whether the conversation would be created.', false),
        conversation: Type.Optional(idOf('conversations', 'The conversation.')),
        contact: Type.Optional(
          object('EventPreviewContact', 'The contact of an upsert.', {
            ...pick(upsertFields.contact.properties, ['externalId', 'meta', 'settings']),
            profile: contactProfile,
          }),
        ),
        messages: about(
          Type.Array(
            object('EventPreviewMessage', 'A message that would be posted.', {
              ...messageFields,
              ...always({ type, isBackchannel, touchpoint, serviceType }),
              createdBy: idOf('users', 'The author of the message.'),
            }),
          ),
          'The messages, in order.',
        ),
      }),
    ),
    'The messages that would be posted, by conversation.',
  ),
  hint: Type.Optional(resultHint),
});

const SIGNATURE = 'The signature of the posts: the name of a known sender, or a description.';

const headerName = (of: string, example: string) =>
  patterned('^[A-Za-z0-9_-]+$', {
    words: `the name of the header that has ${of}, in letters, digits, "-" and "_"`,
    max: 64,
    example,
  });

const prefix = (of: string, example: string) =>
  patterned('^[!-+--:<-~]+$', {
    words: `what precedes ${of}, in visible ASCII characters but "," and ";"`,
    max: 32,
    example,
  });

const hmacSignature = object('HmacSignature', 'A signature that is an HMAC of the post.', {
  header: headerName('the signature', 'Typeform-Signature'),
  algorithm: Type.Optional(about(oneOf(HMAC_ALGORITHMS), 'The algorithm. Default `sha256`.', 'sha256')),
  encoding: Type.Optional(about(oneOf(HMAC_ENCODINGS), 'The encoding. Default `hex`.', 'base64')),
  prefix: Type.Optional(prefix('the signature', 'sha256=')),
  content: Type.Optional(
    about(
      text({ max: 128 }),
      'The signed content: `{body}`, and any of `{timestamp}`, `{id}` and `{url}`, the address itself. Default `{body}`.',
      '{body}',
    ),
  ),
  idHeader: Type.Optional(headerName('the id of the event', 'X-Event-Id')),
  timestampHeader: Type.Optional(
    headerName('the signed time (seconds, milliseconds or ISO 8601)', 'X-Timestamp'),
  ),
  timestampPrefix: Type.Optional(prefix('the time, where its header has several parts', 't=')),
});

const signature = Type.Union([oneOf(SIGNATURE_KINDS), hmacSignature]);

export const ingestInput = object('IngestAddressInput', 'An ingest address to create.', {
  user: referenceTo(
    'bots',
    'The author of the posts: a bot of the organization of the event type, or below it.',
  ),
  secret: Type.Optional(
    about(
      text({ max: 512 }),
      'The secret that signs the posts. Without a secret, any post is accepted. For `standard-webhooks`: `whsec_` and base64 of at least 16 bytes, or another text of at least 16 bytes. For other senders: the secret as the sender shows it.',
      'shpss_7c41f2',
    ),
  ),
  signature: Type.Optional(about(signature, `${SIGNATURE} Default \`standard-webhooks\`.`, 'shopify')),
  verifyToken: Type.Optional(
    about(
      text({ max: 512 }),
      'The token that Meta sends with its challenge (`hub.verify_token`). With the token, an address with a secret returns the challenge too.',
      'meatyhamhock',
    ),
  ),
});

export const ingestSchema = object('IngestAddress', 'An address for a system that accepts only a URL.', {
  eventtype: idOf('eventtypes', 'The event type of the posts.'),
  user: idOf('bots', 'The author of the posts.'),
  signature: Type.Optional(about(signature, `${SIGNATURE} Absent: the posts are not signed.`, 'shopify')),
  createdBy: idOf('users', 'The user who created the address.'),
  createdAt: about(Time, 'The time of creation.'),
  url: Type.Optional(
    about(
      Address,
      'The address. Returned only when the address is created.',
      'https://chat.example.com/in/mR3yQe8w1lFJr0cXU2b7hK5nT9vZpA4sD6gLqWjE1oY',
    ),
  ),
});

/** Event types (spec 8.1). A stored expression always parses. */
export const eventTypes = recordKind({
  record: eventTypeRecord,
  store: eventTypeRecords,
  taken: {
    path: 'name',
    message: 'is taken by another event type of the organization',
    findHolder: async ({ organization, name }) => (await findEventTypeFor([organization], name))?._id,
  },
  check: async ({ jsonata }, request, api) => {
    if (jsonata != null) await assertValidExpression(jsonata, request, api);
  },
});
