import Type from 'typebox';
import { MESSAGE_DELIVERY_STATUSES } from '../../../domain/channels/receipt.ts';
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
  oneOf,
} from '../../../schema/kinds.ts';
import { buildPaths } from '../../listing/paths.ts';

const MessageDelivery = object('MessageDelivery', 'The delivery by a channel service (spec 15.4).', {
  status: about(
    oneOf(MESSAGE_DELIVERY_STATUSES),
    '`queued`, `sent` to the provider, `delivered` to the contact, `read`, or permanently `failed`.',
    'delivered',
  ),
  at: about(Time, 'The time of the status.'),
  service: idOf('services', 'The service that carries the message.'),
  externalId: Type.Optional(about(Type.String(), "The provider's id of the message.", 'SM1f0c')),
  error: Type.Optional(
    object('MessageDeliveryError', 'The reason why the delivery failed.', {
      code: about(Type.String(), "The provider's code, or a code of spec 15.3.", '21211'),
      message: about(Type.String(), 'The reason in words.', 'The number is invalid.'),
    }),
  ),
});

const { type, isBackchannel, touchpoint, serviceType } = messageFields;

export const messageSchema = object('Message', 'A message of a conversation.', {
  id: idOf('messages', 'The id of the message.'),
  organization: Owner,
  contact: Type.Optional(idOf('contacts', 'The contact of the conversation.')),
  conversation: idOf('conversations', 'The conversation.'),
  slug: about(Type.String(), 'The last part of the address.', 'c2x1Z29mbWVzc2Fn'),
  url: about(
    Address,
    'The address of the message on the chat page.',
    'https://example.com/c/Zm9vYmFyYmF6cXV4#c2x1Z29mbWVzc2Fn',
  ),
  ...messageFields,
  ...always({ type, isBackchannel, touchpoint, serviceType }),
  ...createdAndChanged,
  sequence: Type.Optional(
    about(
      Type.Integer(),
      'The number of the processed message in its conversation: 1, 2, 3 … without gaps.',
      12,
    ),
  ),
  processedAt: Type.Optional(about(Time, 'The time of processing. Absent while the message is delayed.')),
  delivery: Type.Optional(MessageDelivery),
});

/** A list if the request's body is a list. */
export const postedSchema = Type.Union([messageSchema, Type.Array(messageSchema)]);

export const messagePaths = buildPaths(messageSchema, ['url', 'sendAt']);
