import Type from 'typebox';
import { MAX_TOUCHPOINT_SERVICES } from '../../../domain/conversations/touchpoint.ts';
import { FORM_TYPES } from '../../../domain/messages/message.ts';
import {
  EXAMPLE_IDS,
  Address,
  Id,
  Meta,
  Owner,
  Time,
  about,
  always,
  idOf,
  createdAndChanged,
  named,
  object,
  oneOf,
  patchOf,
  Reference,
  referenceTo,
  shownText,
  text,
} from '../../../schema/kinds.ts';
import { conversationFields } from '../../../schema/conversation-body.ts';
import { buildPaths } from '../../listing/paths.ts';

const PARTICIPANT_WORDS = {
  user: 'The user.',
  role: 'Their role when they joined.',
  unreadCount: 'How many messages they have not read.',
  active: 'Whether they are busy with the conversation.',
  inbox: 'Whether it is in their inbox: it was assigned, and not accepted yet.',
  accepted: 'Whether they have accepted it.',
  follow: 'Whether they follow it.',
  status: 'A status of their own.',
} as const;

const FORM_WORDS = {
  form: 'The id of the form.',
  name: 'Its name.',
  type: 'A `static` form stays; a `topic` is picked.',
  category: 'The category that it was added under.',
  categoryIndex: 'The index of that category.',
  values: 'What was filled in so far, by key.',
} as const;

const TOUCHPOINT_WORDS = {
  services: 'The ids of the services that serve it.',
  selected: 'Whether it is the one in use.',
} as const;

const Participant = object('Participant', 'A user who takes part.', {
  user: idOf('users', PARTICIPANT_WORDS.user),
  organization: Type.Optional(idOf('organizations', 'Their organization.')),
  role: Type.Optional(about(Type.String(), PARTICIPANT_WORDS.role, 'agent')),
  unreadCount: about(Type.Integer(), PARTICIPANT_WORDS.unreadCount, 2),
  active: about(Type.Boolean(), PARTICIPANT_WORDS.active, true),
  inbox: about(Type.Boolean(), PARTICIPANT_WORDS.inbox, false),
  accepted: about(Type.Boolean(), PARTICIPANT_WORDS.accepted, true),
  follow: Type.Optional(about(Type.Boolean(), PARTICIPANT_WORDS.follow, false)),
  status: Type.Optional(about(Type.String(), PARTICIPANT_WORDS.status, 'online')),
});

const Form = object('ConversationForm', 'A form that is not complete yet.', {
  form: idOf('forms', FORM_WORDS.form),
  name: about(Type.String(), FORM_WORDS.name, 'Booking'),
  type: about(oneOf(FORM_TYPES), FORM_WORDS.type),
  category: Type.Optional(about(Type.String(), FORM_WORDS.category, 'sales')),
  categoryIndex: Type.Optional(about(Type.Integer(), FORM_WORDS.categoryIndex, 0)),
  values: about(Meta, FORM_WORDS.values, { guests: '2' }),
});

const Result = object('ConversationResult', 'A form that was completed.', {
  message: idOf('messages', 'The message of type results that completed it.'),
  // An old result may name a form that is not a record.
  form: about(Type.String(), FORM_WORDS.form, EXAMPLE_IDS.forms),
  name: about(Type.String(), FORM_WORDS.name, 'Booking'),
  category: Type.Optional(about(Type.String(), 'The category that it was completed under.', 'sales')),
  categoryIndex: Type.Optional(about(Type.Integer(), FORM_WORDS.categoryIndex, 0)),
});

const Touchpoint = object('Touchpoint', 'A touchpoint that is in use.', {
  services: about(Type.Array(Type.String()), TOUCHPOINT_WORDS.services, ['website']),
  selected: about(Type.Boolean(), TOUCHPOINT_WORDS.selected, true),
});

const Channels = (description: string) =>
  about(Type.Array(Type.String()), description, [EXAMPLE_IDS.channels]);

const { type, status, meta } = conversationFields;

export const conversationSchema = object(
  'Conversation',
  'What a contact and an organization say to each other.',
  {
    id: idOf('conversations', 'Its id.'),
    slug: about(Type.String(), 'The last part of its address: the key to the chat page.', 'Zm9vYmFyYmF6cXV4'),
    url: about(Address, "The contact's chat page.", 'https://example.com/c/Zm9vYmFyYmF6cXV4'),
    organization: Owner,
    ...conversationFields,
    ...always({ type, status, meta }),
    contact: Type.Optional(idOf('contacts', 'The contact.')),
    messages: about(Type.Array(Id), 'Its processed messages in order, the newest 1,000.', [
      EXAMPLE_IDS.messages,
    ]),
    participants: about(Type.Array(Participant), 'The users who take part.'),
    channels: Channels('The channels that were notified.'),
    channelsOffline: Channels('The channels that were not notified, because nobody was online.'),
    touchpoints: Type.Record(Type.String(), Touchpoint, { description: 'The touchpoints in use, by code.' }),
    forms: about(Type.Array(Form), 'The forms that are not complete.'),
    results: about(Type.Array(Result), 'The forms that were completed.'),
    ...createdAndChanged,
    lastMessageAt: about(
      Time,
      'When its last chat, card, postback or mention was processed; before the first one, when it was created. Nothing else ' +
        'changes it, so lists sorted by it move by messages alone.',
    ),
  },
);

export const streamQuery = Type.Object({
  after: Type.Optional(
    Type.String({
      pattern: '^\\d+(-\\d+)?$',
      description: 'Begin after the message with this number, or after the event with this id.',
      examples: ['12-57'],
    }),
  ),
});

export const streamTicketSchema = object(
  'StreamTicket',
  'Opens a stream once, for a minute, without a token.',
  {
    url: about(
      Address,
      'The address of the stream with its ticket; `&after=` may be added. Whoever opens it a second time gets 401, so a client whose ' +
        'connection was lost asks for a new one.',
      `https://example.com/v2/conversations/${EXAMPLE_IDS.conversations}/stream?ticket=b3BlbiBzZXNhbWU`,
    ),
    expiresAt: about(Time, 'Until when it is good.'),
  },
);

export const streamSchema = Type.String({
  description:
    'Server-sent events. `message`: a new message; again, with the same `id`, when it is edited; `{id, sequence, deletedAt}` when it is ' +
    'deleted. `typing`: who is. `read`: how far the contact has read. `conversation`: at first, and after each change. `heartbeat`: every 15 seconds. ' +
    'A client that comes back with `Last-Event-ID` misses nothing.',
  examples: ['event: message\nid: 12-57\ndata: {"text":"Hello","sequence":12}\n\n'],
});

export const changesSchema = Type.String({
  description:
    'Server-sent events `conversation`, each `{id, updatedAt, lastMessageAt}` of a conversation that is new or has changed. What happened while nobody ' +
    'listened is in the list: `GET /conversations?updatedAt=>=…`.',
  examples: [
    'event: conversation\ndata: {"id":"65f2a1c09b1d8e4f7a3c5d21","updatedAt":"2026-03-14T09:26:53.589Z","lastMessageAt":"2026-03-14T09:26:51.204Z"}\n\n',
  ],
});

export const conversationPaths = buildPaths(conversationSchema);

/** domain/conversations/bounds.ts has lower limits, with better error texts. */
const MAX_ENTRIES = 1_000;
const MAX_TOUCHPOINTS = 100;

/** Lacks the organization, which is always the user's. */
const ParticipantInput = object('ParticipantInput', 'A user who takes part.', {
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

const FormInput = object('ConversationFormInput', 'A form that is not complete yet.', {
  form: idOf('forms', FORM_WORDS.form),
  name: about(shownText({ max: 256 }), FORM_WORDS.name, 'Booking'),
  type: Type.Optional(about(oneOf(FORM_TYPES), FORM_WORDS.type)),
  category: Type.Optional(about(shownText({ max: 256 }), FORM_WORDS.category, 'sales')),
  categoryIndex: Type.Optional(about(Type.Integer({ minimum: 0 }), FORM_WORDS.categoryIndex, 0)),
  values: Type.Optional(about(Meta, FORM_WORDS.values, { guests: '2' })),
});

const TouchpointInput = object('TouchpointInput', 'A touchpoint that is in use.', {
  services: about(Type.Array(Reference, { maxItems: MAX_TOUCHPOINT_SERVICES }), TOUCHPOINT_WORDS.services, [
    'website',
  ]),
  selected: Type.Optional(about(Type.Boolean(), TOUCHPOINT_WORDS.selected, true)),
});

const ChannelsInput = (description: string) =>
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
        about(Type.Array(ParticipantInput, { maxItems: MAX_ENTRIES }), 'Who takes part, all of them.'),
      ),
      touchpoints: Type.Optional(
        Type.Record(Type.String(), TouchpointInput, {
          maxProperties: MAX_TOUCHPOINTS,
          description: 'The touchpoints in use, by code, all of them.',
        }),
      ),
      forms: Type.Optional(
        about(
          Type.Array(FormInput, { maxItems: MAX_ENTRIES }),
          'The forms that are not complete, all of them.',
        ),
      ),
      channels: ChannelsInput('The channels that were notified.'),
      channelsOffline: ChannelsInput('The channels that were not notified, because nobody was online.'),
    }),
    // A conversation keeps its contact, so null is invalid.
    ['contact'],
  ),
);
