import Type from 'typebox';
import { MAX_TOUCHPOINT_SERVICES } from '../../../domain/conversations/touchpoint.ts';
import { CONTENT_TYPES, FORM_TYPES, MESSAGE_ROLES, SPOKEN_TYPES } from '../../../domain/messages/message.ts';
import { MAX_RATING } from '../../../domain/messages/rating.ts';
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
  shownAs,
  shownText,
  text,
} from '../../../schema/kinds.ts';
import { conversationFields } from '../../../schema/conversation-body.ts';
import { buildPaths } from '../../listing/paths.ts';

const PARTICIPANT_WORDS = {
  user: 'The user.',
  role: 'The role of the user when joining.',
  unreadCount: 'The number of unread messages.',
  active: 'Whether the user is working on the conversation.',
  inbox: "Whether the conversation is in the user's inbox: assigned, and not accepted yet.",
  accepted: 'Whether the user has accepted the conversation.',
  follow: 'Whether the user follows the conversation.',
  status: 'A custom status.',
} as const;

const FORM_WORDS = {
  form: 'The id of the form.',
  name: 'The name of the form.',
  type: 'A `static` form stays. A `topic` is picked.',
  category: 'The category under which the form was added.',
  categoryIndex: 'The index of that category.',
  values: 'The values filled in so far, by key.',
} as const;

const TOUCHPOINT_WORDS = {
  services: 'The ids of the services of the touchpoint.',
  selected: 'Whether the touchpoint is selected.',
} as const;

const Participant = object('Participant', 'A user who takes part in the conversation.', {
  user: idOf('users', PARTICIPANT_WORDS.user),
  organization: Type.Optional(idOf('organizations', 'The organization of the user.')),
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
  category: Type.Optional(about(Type.String(), 'The category under which the form was completed.', 'sales')),
  categoryIndex: Type.Optional(about(Type.Integer(), FORM_WORDS.categoryIndex, 0)),
});

const Touchpoint = object('Touchpoint', 'A touchpoint that is in use.', {
  services: about(Type.Array(Type.String()), TOUCHPOINT_WORDS.services, ['website']),
  selected: about(Type.Boolean(), TOUCHPOINT_WORDS.selected, true),
});

const Channels = (description: string) =>
  about(Type.Array(Type.String()), description, [EXAMPLE_IDS.channels]);

const LastMessage = object('LastMessage', 'The last chat, card, postback or mention.', {
  id: idOf('messages', 'The id of the message.'),
  type: about(oneOf(SPOKEN_TYPES), 'The type of the message.'),
  text: about(Type.String(), 'The text in one line, without markup, at most 200 characters.', 'Hello'),
  isBackchannel: about(Type.Boolean(), 'Whether the message is hidden from the contact.', false),
  role: Type.Optional(about(oneOf(MESSAGE_ROLES), 'The role of the author.', 'contact')),
  user: Type.Optional(idOf('users', 'The sender, if a user.')),
  contentType: Type.Optional(about(oneOf(CONTENT_TYPES), 'The media type of the original text.')),
});

const firstTime = (description: string) => Type.Optional(about(Time, description));

const { type, status, meta } = conversationFields;

export const conversationSchema = object(
  'Conversation',
  'The messages between a contact and an organization.',
  {
    id: idOf('conversations', 'The id of the conversation.'),
    slug: about(Type.String(), 'The last part of the address: the chat key.', 'Zm9vYmFyYmF6cXV4'),
    url: about(Address, "The contact's chat page.", 'https://example.com/c/Zm9vYmFyYmF6cXV4'),
    organization: Owner,
    ...conversationFields,
    ...always({ type, status, meta }),
    contact: Type.Optional(idOf('contacts', 'The contact.')),
    messages: about(Type.Array(Id), 'The ids of the newest 1,000 processed messages, in order.', [
      EXAMPLE_IDS.messages,
    ]),
    participants: about(Type.Array(Participant), 'The users who take part.'),
    channels: Channels('The channels that were notified.'),
    channelsOffline: Channels('The channels that were not notified, because no member was online.'),
    touchpoints: Type.Record(Type.String(), Touchpoint, { description: 'The touchpoints in use, by code.' }),
    forms: about(Type.Array(Form), 'The forms that are not complete.'),
    results: about(Type.Array(Result), 'The forms that were completed.'),
    ...createdAndChanged,
    snoozedUntil: Type.Optional(
      shownAs(
        'date-time',
        about(
          Type.String(),
          'The end of the time out of the queue, after `/snooze`.',
          '2026-03-14T09:26:53.589Z',
        ),
      ),
    ),
    team: Type.Optional(
      idOf('channels', 'The team to which the conversation is assigned. Guests do not see it.'),
    ),
    labels: Type.Optional(
      about(Type.Array(Type.String()), 'The labels, in lower case. Guests do not see them.', ['vip']),
    ),
    rating: Type.Optional(
      about(
        Type.Integer({ minimum: 1, maximum: MAX_RATING }),
        "The contact's last rating, from 1 to 5. Guests do not see it.",
        4,
      ),
    ),
    lastMessageAt: about(
      Time,
      'The time at which the last chat, card, postback or mention was processed. Without such a message, the time of creation. Nothing else ' +
        'changes it, so only messages move a conversation in lists sorted by it.',
    ),
    lastMessage: Type.Optional(LastMessage),
    waitingSince: Type.Optional(
      about(
        Time,
        'The time since which the contact waits for a reply, or for an agent to take the conversation from the queue. Absent if the contact does not wait.',
      ),
    ),
    firstContactAt: firstTime('The time of the first message of the contact.'),
    firstReplyAt: firstTime('The time of the first reply of an agent or bot to the contact.'),
    acceptedAt: firstTime('The time at which the first participant accepted the conversation.'),
    closedAt: firstTime('The time of the first closing. A later reopening does not change it.'),
  },
);

export const streamQuery = Type.Object({
  after: Type.Optional(
    Type.String({
      pattern: '^\\d+(-\\d+)?$',
      description: 'Starts after the message with this sequence, or after the event with this id.',
      examples: ['12-57'],
    }),
  ),
});

export const streamTicketSchema = object(
  'StreamTicket',
  'A ticket that opens a stream once, for a minute, without a token.',
  {
    url: about(
      Address,
      'The address of the stream with its ticket. `&after=` may be added. A second use returns 401, so a client that lost its ' +
        'connection creates a new ticket.',
      `https://example.com/v2/conversations/${EXAMPLE_IDS.conversations}/stream?ticket=b3BlbiBzZXNhbWU`,
    ),
    expiresAt: about(Time, 'The expiry time.'),
  },
);

export const streamSchema = Type.String({
  description:
    'Server-sent events. `message`: a new message; an edited message, with the same `id`; `{id, sequence, deletedAt}` of a ' +
    'deleted message. `typing`: the person who types. `read`: the position to which the contact has read. `receipt`: `{conversation, message, delivery}` of a message that a channel carries. `conversation`: first, and after each change. `heartbeat`: every 15 seconds. ' +
    'A client that reconnects with `Last-Event-ID` misses no event.',
  examples: ['event: message\nid: 12-57\ndata: {"text":"Hello","sequence":12}\n\n'],
});

export const changesSchema = Type.String({
  description:
    'Server-sent events `conversation`, each `{id, updatedAt, lastMessageAt}` of a new or changed conversation. For changes without a ' +
    'connection, use `GET /conversations?updatedAt=>=…`.',
  examples: [
    'event: conversation\ndata: {"id":"65f2a1c09b1d8e4f7a3c5d21","updatedAt":"2026-03-14T09:26:53.589Z","lastMessageAt":"2026-03-14T09:26:51.204Z"}\n\n',
  ],
});

/** The response to an upsert that replaced values of the contact (spec 5.7). */
export const startedSchema = Type.Union([
  conversationSchema,
  object('UpsertedConversation', 'A conversation whose contact was changed by an upsert.', {
    ...conversationSchema.properties,
    replaced: about(
      Type.Array(
        object('ReplacedValue', 'A value of the contact before the upsert.', {
          path: about(Type.String(), 'The field of the upsert.', 'contact.profile.email'),
          was: about(Type.Unknown(), 'The value that was replaced.', 'ada@example.com'),
        }),
      ),
      'The values of the contact that the upsert replaced. Values that were added are not listed.',
    ),
  }),
]);

export const conversationPaths = buildPaths(conversationSchema);

/** domain/conversations/bounds.ts has lower limits, with better error texts. */
const MAX_ENTRIES = 1_000;
const MAX_TOUCHPOINTS = 100;

/** Lacks the organization, which is always the user's. */
const ParticipantInput = object('ParticipantInput', 'A user who takes part in the conversation.', {
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
    EXAMPLE_IDS.services,
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
        about(Type.Array(ParticipantInput, { maxItems: MAX_ENTRIES }), 'All participants.'),
      ),
      touchpoints: Type.Optional(
        Type.Record(Type.String(), TouchpointInput, {
          maxProperties: MAX_TOUCHPOINTS,
          description: 'All touchpoints in use, by code.',
        }),
      ),
      forms: Type.Optional(
        about(Type.Array(FormInput, { maxItems: MAX_ENTRIES }), 'All forms that are not complete.'),
      ),
      channels: ChannelsInput('The channels that were notified.'),
      channelsOffline: ChannelsInput('The channels that were not notified, because no member was online.'),
    }),
    // A conversation keeps its contact, so null is invalid.
    ['contact'],
  ),
);
