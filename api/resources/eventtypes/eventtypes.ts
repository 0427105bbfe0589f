import { Expression, eventTypeRecord, eventTypeRecords } from '../../../store/records/eventtypes.ts';
import { recordKind } from '../../records/kind.ts';
import { assertValidExpression } from './expression.ts';
import Type from 'typebox';
import { SIGNATURE_KINDS } from '../../../domain/events/business-event.ts';
import {
  EXAMPLE_IDS,
  Address,
  Time,
  about,
  always,
  idOf,
  object,
  oneOf,
  referenceTo,
  text,
} from '../../../schema/kinds.ts';
import { contactProfile } from '../../../schema/conversation-body.ts';
import { messageFields } from '../../../schema/message-body.ts';

export const expressionDraftInput = object(
  'ExpressionDraft',
  'An expression that is not kept yet, and an event to try it with.',
  {
    jsonata: Expression,
    body: about(Type.Unknown(), 'The body of the event.', {
      conversation: EXAMPLE_IDS.conversations,
      text: 'Your order is on its way.',
    }),
  },
);

const { type, isBackchannel, touchpoint, serviceType } = messageFields;

/** See spec 8.1. */
export const previewSchema = object('EventPreview', 'What an event would post.', {
  status: about(oneOf(['processed', 'ignored']), 'What would become of it.'),
  results: about(
    Type.Array(
      object('EventPreviewResult', 'What would be posted into one conversation.', {
        created: about(Type.Boolean(), 'Whether the conversation would be made.', false),
        conversation: Type.Optional(idOf('conversations', 'The conversation.')),
        contact: Type.Optional(
          object('EventPreviewContact', 'The contact, of an upsert.', { profile: contactProfile }),
        ),
        messages: about(
          Type.Array(
            object('EventPreviewMessage', 'A message that would be posted.', {
              ...messageFields,
              ...always({ type, isBackchannel, touchpoint, serviceType }),
              createdBy: idOf('users', 'Who it would be from.'),
            }),
          ),
          'The messages, in order.',
        ),
      }),
    ),
    'What would be posted, by conversation.',
  ),
});

const SIGNATURE = 'How the sender signs its posts.';

export const ingestInput = object('IngestAddressInput', 'An ingest address to make.', {
  user: referenceTo('bots', 'As whom it posts: a bot of the organization of the event type, or below.'),
  secret: Type.Optional(
    about(
      text({ max: 512 }),
      'What posts are signed with; without one any post is taken. Of `standard-webhooks`: `whsec_` and base64 of at least 16 bytes, or another text of at least 16 bytes. Of the others: as they show it.',
      'shpss_7c41f2',
    ),
  ),
  signature: Type.Optional(
    about(oneOf(SIGNATURE_KINDS), `${SIGNATURE} \`standard-webhooks\` where absent.`, 'shopify'),
  ),
});

export const ingestSchema = object('IngestAddress', 'Where a system posts that can only be given a URL.', {
  eventtype: idOf('eventtypes', 'The type of what is posted there.'),
  user: idOf('bots', 'As whom it posts.'),
  signature: Type.Optional(
    about(oneOf(SIGNATURE_KINDS), `${SIGNATURE} Absent: they are not signed.`, 'shopify'),
  ),
  createdBy: idOf('users', 'The user who made it.'),
  createdAt: about(Time, 'When it was made.'),
  url: Type.Optional(
    about(
      Address,
      'The address: shown in the answer that makes it, and never again.',
      'https://chat.example.com/in/mR3yQe8w1lFJr0cXU2b7hK5nT9vZpA4sD6gLqWjE1oY',
    ),
  ),
});

/** Event types (spec 8.1). A stored expression always parses. */
export const eventTypes = recordKind({
  record: eventTypeRecord,
  store: eventTypeRecords,
  taken: { path: 'name', message: 'another event type of the organization has it' },
  check: async ({ jsonata }, request, api) => {
    if (jsonata != null) await assertValidExpression(jsonata, request, api);
  },
});
