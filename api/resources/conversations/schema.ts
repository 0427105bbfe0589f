import Type from 'typebox';
import { FORM_TYPES } from '../../../domain/messages/message.ts';
import { conversationFields } from '../../../schema/conversation-body.ts';
import { Id, Meta, Time, oneOf } from '../../../schema/kinds.ts';
import { pathsOf } from '../../listing/paths.ts';

const Participant = Type.Object({
  user: Id,
  organization: Type.Optional(Id),
  role: Type.Optional(Type.String()),
  unreadCount: Type.Integer(),
  active: Type.Boolean(),
  inbox: Type.Boolean(),
  accepted: Type.Boolean(),
  follow: Type.Optional(Type.Boolean()),
  status: Type.Optional(Type.String()),
});

const Form = Type.Object({
  form: Id,
  name: Type.String(),
  type: oneOf(FORM_TYPES),
  category: Type.Optional(Type.String()),
  categoryIndex: Type.Optional(Type.Integer()),
  values: Meta,
});

const Result = Type.Object({
  message: Id,
  // A bot may complete a form that is kept elsewhere.
  form: Type.String(),
  name: Type.String(),
  category: Type.Optional(Type.String()),
  categoryIndex: Type.Optional(Type.Integer()),
});

const Touchpoint = Type.Object({ services: Type.Array(Type.String()), selected: Type.Boolean() });

/** A conversation as it is shown (spec 5.1). */
export const conversationSchema = Type.Object({
  id: Id,
  slug: Type.String(),
  url: Type.String(),
  organization: Id,
  ...conversationFields,
  contact: Type.Optional(Id),
  messages: Type.Array(Id),
  participants: Type.Array(Participant),
  channels: Type.Array(Type.String()),
  channelsOffline: Type.Array(Type.String()),
  touchpoints: Type.Record(Type.String(), Touchpoint),
  forms: Type.Array(Form),
  results: Type.Array(Result),
  createdBy: Type.Optional(Id),
  createdAt: Time,
  updatedAt: Time,
});

/** Query parameters of a stream. */
export const streamQuery = Type.Object({
  after: Type.Optional(
    Type.String({
      pattern: '^\\d+(-\\d+)?$',
      description: 'Begin after the message with this number, or after the event with this id.',
    }),
  ),
});

/** What opens a stream once, for a minute, without a token. */
export const streamTicketSchema = Type.Object({
  url: Type.String({
    description:
      'The address of the stream with its ticket; `&after=` may be added. Whoever opens it a second time gets 401, so a client whose ' +
      'connection was lost asks for a new one.',
  }),
  expiresAt: Time,
});

/** A stream (docs/decisions/streams.md). */
export const streamSchema = Type.String({
  description:
    'Server-sent events. `message`: a new message; again, with the same `id`, when it is edited; `{id, sequence, deletedAt}` when it is ' +
    'deleted. `typing`: who is. `conversation`: at first, and after each change. A client that comes back with `Last-Event-ID` misses nothing.',
});

/** The fields of conversations that queries may name. */
export const conversationPaths = pathsOf(conversationSchema);
