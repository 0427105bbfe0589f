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
import {
  Meta,
  TimeInput,
  about,
  named,
  object,
  oneOf,
  patchOf,
  referenceTo,
  shownAs,
  EXAMPLE_IDS,
} from './kinds.ts';

const Uri = shownAs('uri', Type.String());

const Action = object('Action', 'A button.', {
  type: about(oneOf(ACTION_TYPES), 'The type of the button.', 'reply'),
  text: about(Type.String(), 'The label of the button.', 'Yes, please'),
  meta: Type.Optional(about(Meta, 'Free-form keys and values, flat.', { colour: 'green' })),
  uri: Type.Optional(about(Uri, 'The address to open.', 'https://example.com/orders/7')),
  payload: Type.Optional(
    about(
      Type.String(),
      'The text to post when the button is chosen. JSON of a message, or of a list of messages, is posted as messages too.',
      'yes',
    ),
  ),
  iconUrl: Type.Optional(
    about(Uri, 'A picture on the button, on two touchpoints.', 'https://example.com/yes.png'),
  ),
  fallback: Type.Optional(
    about(Uri, 'The address to open if webviews are not supported.', 'https://example.com/orders/7'),
  ),
  size: Type.Optional(about(oneOf(['compact', 'tall', 'full']), 'The height of the webview.')),
});

const Item = object('Item', 'An item of a list.', {
  title: about(Type.String(), 'The title.', 'Blue mug'),
  description: Type.Optional(about(Type.String(), 'A second line.', '12 euro')),
  actions: Type.Optional(
    about(Type.Array(Action, { maxItems: MAX_ENTRIES }), '1 to 3 buttons: links, webviews and postbacks.', [
      { type: 'link', text: 'Look', uri: 'https://example.com/mugs/blue' },
    ]),
  ),
  size: Type.Optional(about(oneOf(['compact', 'large']), 'The display size.')),
  mediaUrl: Type.Optional(about(Uri, 'A picture.', 'https://example.com/mugs/blue.png')),
  mediaType: Type.Optional(
    about(Type.String(), 'The media type of the picture. Default: from its address.', 'image/png'),
  ),
});

const Result = object('FormResult', 'A completed form.', {
  form: about(Type.String(), 'The id of a form of the organization or one above it.', EXAMPLE_IDS.forms),
  formName: Type.Optional(
    about(Type.String(), 'The name of the form. Required if the form is not open.', 'Booking'),
  ),
  type: Type.Optional(about(oneOf(FORM_TYPES), 'The type of the form.')),
  values: Type.Optional(
    about(
      Meta,
      'The entered values by field key: texts, numbers, booleans, null and lists of texts, at most 24 KiB as JSON.',
      { guests: '2' },
    ),
  ),
});

/** See spec 6.1. */
export const messageFields = {
  text: about(
    Type.String(),
    'The text: 1 to 32,000 characters of text or HTML. For other values of `contentType`: an address. For the types command, field and form: the instruction.',
    'How can I help?',
  ),
  type: Type.Optional(about(oneOf(MESSAGE_TYPES), 'The type of the message.', 'chat')),
  role: Type.Optional(
    about(
      oneOf(MESSAGE_ROLES),
      'The role of the author. Default bot, for scope guest contact. Only on chat, card, postback and mention.',
      'bot',
    ),
  ),
  isBackchannel: Type.Optional(
    about(
      Type.Boolean(),
      'Whether only the people who staff the conversation see the message. Default true, but false for the roles contact and agent, and for messages with `meta.template`.',
      false,
    ),
  ),
  contentType: Type.Optional(
    about(
      oneOf(CONTENT_TYPES),
      'The media type of `text`. Only on chat, card, postback and mention.',
      'text/plain',
    ),
  ),
  user: Type.Optional(referenceTo('bots', 'The sender. Default: the caller. Another user needs scope bot.')),
  service: Type.Optional(
    about(Type.String(), 'The id of the external service that mirrors the message.', EXAMPLE_IDS.services),
  ),
  touchpoint: Type.Optional(
    about(
      Type.String(),
      'The touchpoint that carries the message. Default: the selected touchpoint of the conversation if a channel serves it, else web.',
      'web',
    ),
  ),
  delay: Type.Optional(
    about(
      Type.Number(),
      'Milliseconds from `createdAt` to processing, up to 400 days. A chat message with 1000 or more shows a typing indicator.',
      0,
    ),
  ),
  sendAt: Type.Optional(
    about(
      TimeInput,
      'The time of processing, up to 400 days ahead, instead of `delay`. A time in the past, by a day at most, means at once.',
      '2026-03-14T09:00:00.000Z',
    ),
  ),
  items: Type.Optional(
    about(Type.Array(Item, { maxItems: MAX_ENTRIES }), 'List items. Only on chat, card and postback.', [
      { title: 'Blue mug', description: '12 euro' },
    ]),
  ),
  actions: Type.Optional(
    about(
      Type.Array(Action, { maxItems: MAX_ENTRIES }),
      'Buttons. Replies and location requests cannot be combined with other types.',
      [
        { type: 'reply', text: 'Yes, please', payload: 'yes' },
        { type: 'reply', text: 'No, thanks', payload: 'no' },
      ],
    ),
  ),
  results: Type.Optional(
    about(Type.Array(Result, { maxItems: MAX_ENTRIES }), 'Completed forms. Only for type results.', [
      { form: EXAMPLE_IDS.forms, formName: 'Booking', type: 'topic', values: { guests: '2' } },
    ]),
  ),
  meta: Type.Optional(Meta),
  serviceType: Type.Optional(
    about(Type.String(), 'The kind of provider: `api`, `webhook`, or a configured kind.', 'api'),
  ),
  externalId: Type.Optional(
    about(
      Type.String(),
      'Your own id of the message. A second message with the same id in a conversation returns the first message (200).',
      'order-7-confirmed',
    ),
  ),
};

export const messageInput = object(
  'MessageInput',
  'A message to post. The request sets the conversation. Only `text` is required.',
  messageFields,
);

export const messagesInput = named(
  'MessageInputs',
  Type.Union([messageInput, Type.Array(messageInput, { minItems: 1, maxItems: MAX_MESSAGES })], {
    description: 'One message to post, or 1 to 100 in order.',
  }),
);

const addressedInput = object('AddressedMessageInput', 'A message to post, with its conversation.', {
  ...messageFields,
  conversation: referenceTo('conversations', 'The conversation to post into.'),
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
      delay: messageFields.delay,
      sendAt: messageFields.sendAt,
    }),
    ['text', 'delay', 'sendAt'],
  ),
);
