import Type from 'typebox';
import { messageFields } from '../../../schema/message-body.ts';
import {
  Address,
  Owner,
  Time,
  about,
  always,
  idOf,
  createdAndChanged,
  object,
} from '../../../schema/kinds.ts';
import { buildPaths } from '../../listing/paths.ts';

const { type, isBackchannel, touchpoint, serviceType } = messageFields;

export const messageSchema = object('Message', 'An event of a conversation.', {
  id: idOf('messages', 'Its id.'),
  organization: Owner,
  contact: Type.Optional(idOf('contacts', 'The contact of the conversation.')),
  conversation: idOf('conversations', 'The conversation.'),
  slug: about(Type.String(), 'The last part of its address.', 'c2x1Z29mbWVzc2Fn'),
  url: about(
    Address,
    'Where the chat page shows it.',
    'https://example.com/c/Zm9vYmFyYmF6cXV4#c2x1Z29mbWVzc2Fn',
  ),
  ...messageFields,
  ...always({ type, isBackchannel, touchpoint, serviceType }),
  ...createdAndChanged,
  sequence: Type.Optional(
    about(
      Type.Integer(),
      'Its number within the conversation: 1, 2, 3 … without gaps, once it is processed.',
      12,
    ),
  ),
  processedAt: Type.Optional(about(Time, 'When it was processed; absent while it waits for its time.')),
});

/** A list if the request's body is a list. */
export const postedSchema = Type.Union([messageSchema, Type.Array(messageSchema)]);

export const messagePaths = buildPaths(messageSchema, ['url']);
