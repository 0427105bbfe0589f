import Type from 'typebox';
import { messageFields } from '../../../schema/message-body.ts';
import { Id, Time } from '../../../schema/kinds.ts';
import { pathsOf } from '../../listing/paths.ts';

/** A message as it is shown. */
export const messageSchema = Type.Object({
  id: Id,
  organization: Id,
  contact: Type.Optional(Id),
  conversation: Id,
  slug: Type.String(),
  url: Type.String(),
  ...messageFields,
  createdBy: Type.Optional(Id),
  createdAt: Time,
  updatedAt: Time,
  sequence: Type.Optional(Type.Integer()),
  processedAt: Type.Optional(Time),
});

/** What posting answers: a message for a message, a list for a list. */
export const postedSchema = Type.Union([messageSchema, Type.Array(messageSchema)]);

/** The fields of messages that queries may name. */
export const messagePaths = pathsOf(messageSchema, ['url']);
