import Type from 'typebox';
import { CONVERSATION_STATUSES, CONVERSATION_TYPES } from '../../domain/conversation.ts';
import { contactProfile } from '../contacts/schema.ts';
import { pathsOf } from '../listing/paths.ts';
import { messageInput } from '../messages/schema.ts';
import { Id, Meta, Name, Reference, Time, oneOf, text } from '../schema/kinds.ts';

const MOST_MESSAGES = 100;

/** What a caller says of a conversation (spec 2.1). */
const fields = {
  name: Type.Optional(text({ min: 0, max: 1000 })),
  type: Type.Optional(oneOf(CONVERSATION_TYPES)),
  status: Type.Optional(oneOf(CONVERSATION_STATUSES)),
  category: Type.Optional(Name),
  categoryIndex: Type.Optional(Type.Integer({ minimum: 0 })),
  language: Type.Optional(text({ max: 64 })),
  meta: Type.Optional(Meta),
};

/** The body of POST /conversations: an upsert when `contact` is an object (spec 4.6), a plain create otherwise. */
export const conversationInput = Type.Object({
  organization: Type.Optional(Reference),
  ...fields,
  contact: Type.Optional(Type.Union([Reference, Type.Object({ profile: contactProfile })])),
  messages: Type.Optional(Type.Array(messageInput, { maxItems: MOST_MESSAGES })),
});

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
  type: oneOf(['topic', 'static']),
  category: Type.Optional(Type.String()),
  categoryIndex: Type.Optional(Type.Integer()),
  values: Meta,
});

const Result = Type.Object({
  message: Id,
  form: Id,
  name: Type.String(),
  category: Type.Optional(Type.String()),
  categoryIndex: Type.Optional(Type.Integer()),
});

const Touchpoint = Type.Object({ services: Type.Array(Type.String()), selected: Type.Boolean() });

/** A conversation as it is shown (spec 2.1). */
export const conversationSchema = Type.Object({
  id: Id,
  slug: Type.String(),
  url: Type.String(),
  organization: Id,
  ...fields,
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

/** The fields of conversations that queries may name. */
export const conversationPaths = pathsOf(conversationSchema, ['url', 'messages']);
