import Type from 'typebox';
import { CONVERSATION_STATUSES, CONVERSATION_TYPES } from '../../domain/conversations/conversation.ts';
import { MAX_MESSAGES } from '../../domain/messages/message.ts';
import { MAX_LANGUAGE_CHARACTERS, MAX_NAME_CHARACTERS } from '../../domain/contact-profile.ts';
import {
  Language,
  Meta,
  Name,
  OwnedBy,
  Reference,
  about,
  named,
  object,
  oneOf,
  shownText,
  text,
} from './kinds.ts';
import { upsertProfile } from './contact-profile.ts';
import { messageInput } from './message-body.ts';

const MAX_CONVERSATION_NAME = 1000;

/** What a caller says of a conversation (spec 5.1). */
export const conversationFields = {
  name: Type.Optional(
    about(shownText({ min: 0, max: MAX_CONVERSATION_NAME }), 'The name.', 'A question about an order'),
  ),
  type: Type.Optional(
    about(oneOf(CONVERSATION_TYPES), 'Who began it: events carry it as their third word.', 'contact'),
  ),
  status: Type.Optional(
    about(
      oneOf(CONVERSATION_STATUSES),
      'Where it is: `queued` waits for an agent, `active` has one, `closed` is over.',
      'queued',
    ),
  ),
  category: Type.Optional(about(Name, 'The name of its category.', 'sales')),
  categoryIndex: Type.Optional(
    about(Type.Integer({ minimum: 0 }), "The index of the category in the organization's `categories`.", 0),
  ),
  language: Type.Optional(about(Language, 'The language that is spoken in it.', 'en')),
  meta: Type.Optional(Meta),
};

const orEmpty = (words: string) => `${words} An empty text counts as absent.`;

/** What a body says of a conversation that it makes or meets. */
export const givenFields = {
  ...conversationFields,
  name: Type.Optional(
    about(text({ min: 0, max: MAX_CONVERSATION_NAME }), orEmpty('The name.'), 'A question about an order'),
  ),
  category: Type.Optional(
    about(text({ min: 0, max: MAX_NAME_CHARACTERS }), orEmpty('The name of its category.'), 'sales'),
  ),
  language: Type.Optional(
    about(
      text({ min: 0, max: MAX_LANGUAGE_CHARACTERS }),
      orEmpty('The language that is spoken in it.'),
      'en',
    ),
  ),
};

/**
 * The body of POST /conversations: an upsert when `contact` is an object (spec 5.7), a plain create
 * otherwise.
 */
export const conversationInput = named(
  'ConversationInput',
  Type.Object(
    {
      organization: OwnedBy,
      ...givenFields,
      contact: Type.Optional(
        Type.Union([Reference, object('UpsertContact', 'Who the contact is.', { profile: upsertProfile })], {
          description: 'The contact: its id, or who it is.',
        }),
      ),
      messages: Type.Optional(
        about(Type.Array(messageInput, { maxItems: MAX_MESSAGES }), 'Messages to post into it, in order.'),
      ),
    },
    { description: 'An upsert where `contact` is an object, a plain create otherwise.' },
  ),
);
