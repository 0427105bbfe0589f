import Type from 'typebox';
import { contactProfile } from '../../../schema/contact-profile.ts';
import { messageFields } from '../../../schema/message-body.ts';
import { Id, Reference, Time, oneOf, patchOf, patterned, text } from '../../../schema/kinds.ts';

const NAME = patterned('^[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*$', {
  words: 'words of letters, digits, "_" and "-" joined by dots, as in order.created',
  max: 256,
});

const fields = {
  name: NAME,
  organization: Type.Optional(Reference),
  description: Type.Optional(text({ min: 0, max: 10_000 })),
  jsonata: Type.Optional(Type.String()),
};

/**
 * What a caller says of an event type (spec 4.3). Its expression has a request of its own as well
 * (spec 8.1).
 */
export const eventTypeInput = Type.Object(fields);

export const eventTypePatch = patchOf(eventTypeInput, ['name', 'organization']);

/** The body of PUT /eventtypes/{id}/jsonata. */
export const expressionInput = Type.String();

/** What an event would post (spec 8.1). */
export const previewSchema = Type.Object({
  status: oneOf(['processed', 'ignored']),
  results: Type.Array(
    Type.Object({
      /** The conversation would be made. */
      created: Type.Boolean(),
      conversation: Type.Optional(Id),
      contact: Type.Optional(Type.Object({ profile: contactProfile })),
      messages: Type.Array(Type.Object({ ...messageFields, createdBy: Type.Optional(Id) })),
    }),
  ),
});

/** An event type as it is shown. */
export const eventTypeSchema = Type.Object({
  id: Id,
  organization: Id,
  name: Type.String(),
  description: Type.Optional(Type.String()),
  jsonata: Type.Optional(Type.String()),
  createdBy: Type.Optional(Id),
  createdAt: Time,
  updatedAt: Time,
});
