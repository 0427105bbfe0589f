import Type from 'typebox';
import {
  ACTION_TYPES,
  CONTENT_TYPES,
  FORM_TYPES,
  MAX_ENTRIES,
  MAX_MESSAGES,
  MESSAGE_ROLES,
  MESSAGE_TYPES,
} from '../domain/messages/message.ts';
import { Meta, about, named, object, oneOf, patchOf, referenceTo, shownAs, EXAMPLE_IDS } from './kinds.ts';

const Uri = shownAs('uri', Type.String());

const Action = object('Action', 'A button.', {
  type: about(oneOf(ACTION_TYPES), 'What it does.', 'reply'),
  text: about(Type.String(), 'What stands on it.', 'Yes, please'),
  meta: Type.Optional(about(Meta, 'Free-form keys and values, flat.', { colour: 'green' })),
  uri: Type.Optional(about(Uri, 'The address that it opens.', 'https://example.com/orders/7')),
  payload: Type.Optional(
    about(
      Type.String(),
      'What is posted when it is chosen. JSON of a message, or of a list of messages, is posted as such as well.',
      'yes',
    ),
  ),
  iconUrl: Type.Optional(about(Uri, 'A picture on it, on two touchpoints.', 'https://example.com/yes.png')),
  fallback: Type.Optional(
    about(Uri, 'The address that is opened where there is no webview.', 'https://example.com/orders/7'),
  ),
  size: Type.Optional(about(oneOf(['compact', 'tall', 'full']), 'How high the webview is.')),
});

const Item = object('Item', 'An item of a list.', {
  title: about(Type.String(), 'The title.', 'Blue mug'),
  description: Type.Optional(about(Type.String(), 'A second line.', '12 euro')),
  actions: Type.Optional(
    about(Type.Array(Action, { maxItems: MAX_ENTRIES }), '1 to 3 buttons: links, webviews and postbacks.', [
      { type: 'link', text: 'Look', uri: 'https://example.com/mugs/blue' },
    ]),
  ),
  size: Type.Optional(about(oneOf(['compact', 'large']), 'How large it is shown.')),
  mediaUrl: Type.Optional(about(Uri, 'A picture.', 'https://example.com/mugs/blue.png')),
  mediaType: Type.Optional(
    about(Type.String(), 'The type of the picture; taken from its address where absent.', 'image/png'),
  ),
});

const Result = object('FormResult', 'A completed form.', {
  form: about(Type.String(), 'The id of a form of the organization or one above it.', EXAMPLE_IDS.forms),
  formName: Type.Optional(about(Type.String(), 'Its name; required where it is not open.', 'Booking')),
  type: Type.Optional(about(oneOf(FORM_TYPES), 'Its type.')),
  values: Type.Optional(
    about(
      Meta,
      'What was filled in, by the keys of its fields: texts, numbers, booleans, null and lists of texts, at most 24 KiB as JSON.',
      { guests: '2' },
    ),
  ),
});

/** See spec 6.1. */
export const messageFields = {
  text: about(
    Type.String(),
    'What is said: 1 to 32,000 characters of text or HTML; an address where `contentType` is another; of type command, field and form what is to be done.',
    'How can I help?',
  ),
  type: Type.Optional(about(oneOf(MESSAGE_TYPES), 'What kind of message it is.', 'chat')),
  role: Type.Optional(
    about(
      oneOf(MESSAGE_ROLES),
      'Whose words they are. Default bot, for scope guest contact; only on chat, card, postback and mention.',
      'bot',
    ),
  ),
  isBackchannel: Type.Optional(
    about(
      Type.Boolean(),
      'Whether only the people who staff the conversation see it. Default true; false for the roles contact and agent, and for messages with `meta.template`.',
      false,
    ),
  ),
  contentType: Type.Optional(
    about(oneOf(CONTENT_TYPES), 'What `text` is; only on chat, card, postback and mention.', 'text/plain'),
  ),
  user: Type.Optional(
    referenceTo('bots', 'Who it is from: the caller where absent. Another needs scope bot.'),
  ),
  service: Type.Optional(
    about(Type.String(), 'The id of the external service that it is mirrored with.', EXAMPLE_IDS.services),
  ),
  touchpoint: Type.Optional(
    about(Type.String(), 'The touchpoint that it came or goes by. Default web.', 'web'),
  ),
  delay: Type.Optional(
    about(
      Type.Number(),
      'Milliseconds until it is processed, up to 30 days. A chat message with 1000 or more shows that somebody is typing.',
      0,
    ),
  ),
  items: Type.Optional(
    about(Type.Array(Item, { maxItems: MAX_ENTRIES }), 'A list; only on chat, card and postback.', [
      { title: 'Blue mug', description: '12 euro' },
    ]),
  ),
  actions: Type.Optional(
    about(
      Type.Array(Action, { maxItems: MAX_ENTRIES }),
      'Buttons. Replies and location requests go with nothing else.',
      [
        { type: 'reply', text: 'Yes, please', payload: 'yes' },
        { type: 'reply', text: 'No, thanks', payload: 'no' },
      ],
    ),
  ),
  results: Type.Optional(
    about(Type.Array(Result, { maxItems: MAX_ENTRIES }), 'Completed forms; of a message of type results.', [
      { form: EXAMPLE_IDS.forms, formName: 'Booking', type: 'topic', values: { guests: '2' } },
    ]),
  ),
  meta: Type.Optional(Meta),
  serviceType: Type.Optional(
    about(
      Type.String(),
      'The kind of provider that it goes through: `api`, `webhook`, or one that is configured.',
      'api',
    ),
  ),
  externalId: Type.Optional(
    about(
      Type.String(),
      'An id of your own: a second message with the same one in a conversation is answered with the first (200).',
      'order-7-confirmed',
    ),
  ),
};

export const messageInput = object(
  'MessageInput',
  'A message to post; its conversation is known from elsewhere. `text` is all it needs.',
  messageFields,
);

export const messagesInput = named(
  'MessageInputs',
  Type.Union([messageInput, Type.Array(messageInput, { minItems: 1, maxItems: MAX_MESSAGES })], {
    description: 'One message to post, or 1 to 100 in order.',
  }),
);

const addressedInput = object('AddressedMessageInput', 'A message to post, and where.', {
  ...messageFields,
  conversation: referenceTo('conversations', 'The conversation that it is posted into.'),
});

export const addressedMessagesInput = named(
  'AddressedMessageInputs',
  Type.Union([addressedInput, Type.Array(addressedInput, { minItems: 1, maxItems: MAX_MESSAGES })], {
    description: 'One message to post, or 1 to 100 in order, each with its conversation.',
  }),
);

/** See spec 6. */
export const messagePatch = named(
  'MessagePatch',
  patchOf(
    Type.Object({
      text: messageFields.text,
      items: messageFields.items,
      actions: messageFields.actions,
      meta: messageFields.meta,
    }),
    ['text'],
  ),
);
