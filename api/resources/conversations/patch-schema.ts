import Type from 'typebox';
import { MAX_SERVICES } from '../../../domain/conversations/touchpoint.ts';
import { FORM_TYPES } from '../../../domain/messages/message.ts';
import {
  EXAMPLE_IDS,
  Meta,
  Reference,
  about,
  idOf,
  named,
  object,
  oneOf,
  patchOf,
  referenceTo,
  shownText,
  text,
} from '../../../application/schema/kinds.ts';
import { conversationFields } from '../../../application/schema/conversation-body.ts';
import { FORM_WORDS, PARTICIPANT_WORDS, TOUCHPOINT_WORDS } from './present.ts';

/** domain/conversations/bounds.ts has lower limits, with better error texts. */
const MAX_ENTRIES = 1_000;
const MAX_TOUCHPOINTS = 100;

/** The organization is the user's. */
const Participant = object('ParticipantInput', 'A user who takes part.', {
  user: referenceTo('users', PARTICIPANT_WORDS.user),
  role: Type.Optional(about(text({ max: 64 }), PARTICIPANT_WORDS.role, 'agent')),
  unreadCount: Type.Optional(
    about(Type.Integer({ minimum: 0, maximum: 1_000_000_000 }), PARTICIPANT_WORDS.unreadCount, 0),
  ),
  active: Type.Optional(about(Type.Boolean(), PARTICIPANT_WORDS.active, true)),
  inbox: Type.Optional(about(Type.Boolean(), PARTICIPANT_WORDS.inbox, false)),
  accepted: Type.Optional(about(Type.Boolean(), PARTICIPANT_WORDS.accepted, true)),
  follow: Type.Optional(about(Type.Boolean(), PARTICIPANT_WORDS.follow, false)),
  status: Type.Optional(about(text({ max: 64 }), PARTICIPANT_WORDS.status, 'online')),
});

const Form = object('ConversationFormInput', 'A form that is not complete yet.', {
  form: idOf('forms', FORM_WORDS.form),
  name: about(shownText({ max: 256 }), FORM_WORDS.name, 'Booking'),
  type: Type.Optional(about(oneOf(FORM_TYPES), FORM_WORDS.type)),
  category: Type.Optional(about(shownText({ max: 256 }), FORM_WORDS.category, 'sales')),
  categoryIndex: Type.Optional(about(Type.Integer({ minimum: 0 }), FORM_WORDS.categoryIndex, 0)),
  values: Type.Optional(about(Meta, FORM_WORDS.values, { guests: '2' })),
});

const Touchpoint = object('TouchpointInput', 'A touchpoint that is in use.', {
  services: about(Type.Array(Reference, { maxItems: MAX_SERVICES }), TOUCHPOINT_WORDS.services, ['website']),
  selected: Type.Optional(about(Type.Boolean(), TOUCHPOINT_WORDS.selected, true)),
});

const Channels = (description: string) =>
  Type.Optional(about(Type.Array(Reference, { maxItems: MAX_ENTRIES }), description, [EXAMPLE_IDS.channels]));

export const conversationPatch = named(
  'ConversationPatch',
  patchOf(
    Type.Object({
      ...conversationFields,
      contact: Type.Optional(
        referenceTo('contacts', 'A contact without a conversation, for a conversation without a contact.'),
      ),
      participants: Type.Optional(
        about(Type.Array(Participant, { maxItems: MAX_ENTRIES }), 'Who takes part, all of them.'),
      ),
      touchpoints: Type.Optional(
        Type.Record(Type.String(), Touchpoint, {
          maxProperties: MAX_TOUCHPOINTS,
          description: 'The touchpoints in use, by code, all of them.',
        }),
      ),
      forms: Type.Optional(
        about(Type.Array(Form, { maxItems: MAX_ENTRIES }), 'The forms that are not complete, all of them.'),
      ),
      channels: Channels('The channels that were notified.'),
      channelsOffline: Channels('The channels that were not notified, because nobody was online.'),
    }),
    // A conversation keeps its contact, so null is invalid.
    ['contact'],
  ),
);
