import Type from 'typebox';
import { CONVERSATION_STATUSES, CONVERSATION_TYPES } from '../domain/conversations/conversation.ts';
import { MAX_MESSAGES } from '../domain/messages/message.ts';
import {
  MAX_LANGUAGE_CHARACTERS,
  MAX_NAME_CHARACTERS,
  MAX_ADDRESS_FIELDS,
  MAX_ADDRESS_VALUE,
  MAX_PROFILE_CHARACTERS,
} from '../domain/contact-profile.ts';
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
  shownAs,
} from './kinds.ts';
import { messageInput } from './message-body.ts';

const MAX = MAX_PROFILE_CHARACTERS;

const EMAIL =
  'The email address, in lower case and with its domain in ASCII; unique within the organization.';

const TELEPHONE =
  'The telephone number, stored as E.164 and unique within the organization. Without `+` and country code it is read as one of the country of the organization.';

/** See spec 4.4. */
export const contactProfile = object('ContactProfile', 'What is known of a contact as a person.', {
  name: Type.Optional(about(shownText({ max: MAX.name }), 'The full name.', 'Ada Lovelace')),
  givenName: Type.Optional(about(shownText({ max: MAX.givenName }), 'The first name.', 'Ada')),
  familyName: Type.Optional(about(shownText({ max: MAX.familyName }), 'The last name.', 'Lovelace')),
  email: Type.Optional(shownAs('email', about(text({ max: MAX.email }), EMAIL, 'ada@example.com'))),
  telephone: Type.Optional(about(text({ max: MAX.telephone }), TELEPHONE, '+31201234567')),
  locale: Type.Optional(about(shownText({ max: MAX.locale }), 'The language and region.', 'nl-NL')),
  address: Type.Optional(
    Type.Record(Type.String(), Type.String({ maxLength: MAX_ADDRESS_VALUE }), {
      maxProperties: MAX_ADDRESS_FIELDS,
      description: 'The postal address: a flat object of texts.',
      examples: [{ street: 'Damrak 1', city: 'Amsterdam', country: 'NL' }],
    }),
  ),
});

/** Texts may be empty: web forms send empty texts for empty fields. */
const emptyable = {
  ...contactProfile.properties,
  name: Type.Optional(about(text({ min: 0, max: MAX.name }), 'The full name.', 'Ada Lovelace')),
  givenName: Type.Optional(about(text({ min: 0, max: MAX.givenName }), 'The first name.', 'Ada')),
  familyName: Type.Optional(about(text({ min: 0, max: MAX.familyName }), 'The last name.', 'Lovelace')),
  email: Type.Optional(about(text({ min: 0, max: MAX.email }), EMAIL, 'ada@example.com')),
  telephone: Type.Optional(about(text({ min: 0, max: MAX.telephone }), TELEPHONE, '+31201234567')),
  locale: Type.Optional(about(text({ min: 0, max: MAX.locale }), 'The language and region.', 'nl-NL')),
};

export const newProfile = object(
  'NewContactProfile',
  'What is known of a contact as a person; an empty text counts as absent.',
  emptyable,
);

export const upsertProfile = object(
  'UpsertProfile',
  'Who the contact is. At least one of `email` and `telephone` is needed; an empty text counts as absent.',
  emptyable,
);

const MAX_CONVERSATION_NAME = 1000;

/** See spec 5.1. */
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

/** See spec 5.7. */
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
