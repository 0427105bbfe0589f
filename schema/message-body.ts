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
import { Meta, Reference, oneOf, patchOf } from './kinds.ts';

const Action = Type.Object({
  type: oneOf(ACTION_TYPES),
  text: Type.String(),
  meta: Type.Optional(Meta),
  uri: Type.Optional(Type.String()),
  payload: Type.Optional(Type.String()),
  iconUrl: Type.Optional(Type.String()),
  fallback: Type.Optional(Type.String()),
  size: Type.Optional(oneOf(['compact', 'tall', 'full'])),
});

const Item = Type.Object({
  title: Type.String(),
  description: Type.Optional(Type.String()),
  actions: Type.Optional(Type.Array(Action, { maxItems: MAX_ENTRIES })),
  size: Type.Optional(oneOf(['compact', 'large'])),
  mediaUrl: Type.Optional(Type.String()),
  mediaType: Type.Optional(Type.String()),
});

const Result = Type.Object({
  form: Type.String(),
  formName: Type.Optional(Type.String()),
  type: Type.Optional(oneOf(FORM_TYPES)),
  values: Type.Optional(Meta),
});

/** What a caller says of a message (spec 6.1). */
export const messageFields = {
  text: Type.String(),
  type: Type.Optional(oneOf(MESSAGE_TYPES)),
  role: Type.Optional(oneOf(MESSAGE_ROLES)),
  isBackchannel: Type.Optional(Type.Boolean()),
  contentType: Type.Optional(oneOf(CONTENT_TYPES)),
  user: Type.Optional(Reference),
  service: Type.Optional(Type.String()),
  touchpoint: Type.Optional(Type.String()),
  delay: Type.Optional(Type.Number()),
  items: Type.Optional(Type.Array(Item, { maxItems: MAX_ENTRIES })),
  actions: Type.Optional(Type.Array(Action, { maxItems: MAX_ENTRIES })),
  results: Type.Optional(Type.Array(Result, { maxItems: MAX_ENTRIES })),
  meta: Type.Optional(Meta),
  serviceType: Type.Optional(Type.String()),
  externalId: Type.Optional(Type.String()),
};

/** A message whose conversation is known from elsewhere. */
export const messageInput = Type.Object(messageFields);

/** The body of POST /conversations/{id}/messages: one message or 1 to 100. */
export const messagesInput = Type.Union([
  messageInput,
  Type.Array(messageInput, { minItems: 1, maxItems: MAX_MESSAGES }),
]);

const addressedInput = Type.Object({ ...messageFields, conversation: Reference });

/** The body of POST /messages: one message or 1 to 100, each with its conversation. */
export const addressedMessagesInput = Type.Union([
  addressedInput,
  Type.Array(addressedInput, { minItems: 1, maxItems: MAX_MESSAGES }),
]);

/** The body of PATCH /messages/{id} (spec 6). */
export const messagePatch = patchOf(
  Type.Object({
    text: messageFields.text,
    items: messageFields.items,
    actions: messageFields.actions,
    meta: messageFields.meta,
  }),
  ['text'],
);
