import Type from 'typebox';
import { CONVERSATION_STATUSES, CONVERSATION_TYPES } from '../domain/conversations/conversation.ts';
import { MAX_MESSAGES } from '../domain/messages/message.ts';
import { Language, Meta, Name, Reference, oneOf, text } from './kinds.ts';
import { upsertProfile } from './contact-profile.ts';
import { messageInput } from './message-body.ts';

/** What a caller says of a conversation (spec 5.1). */
export const conversationFields = {
  name: Type.Optional(text({ min: 0, max: 1000 })),
  type: Type.Optional(oneOf(CONVERSATION_TYPES)),
  status: Type.Optional(oneOf(CONVERSATION_STATUSES)),
  category: Type.Optional(Name),
  categoryIndex: Type.Optional(Type.Integer({ minimum: 0 })),
  language: Type.Optional(Language),
  meta: Type.Optional(Meta),
};

/**
 * The body of POST /conversations: an upsert when `contact` is an object (spec 5.7), a plain create
 * otherwise.
 */
export const conversationInput = Type.Object({
  organization: Type.Optional(Reference),
  ...conversationFields,
  contact: Type.Optional(Type.Union([Reference, Type.Object({ profile: upsertProfile })])),
  messages: Type.Optional(Type.Array(messageInput, { maxItems: MAX_MESSAGES })),
});
