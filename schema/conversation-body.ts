import Type from 'typebox';
import { CONVERSATION_STATUSES, CONVERSATION_TYPES } from '../domain/conversations/conversation.ts';
import { CONTACT_MATCHES } from '../domain/contact-match.ts';
import { MAX_MESSAGES } from '../domain/messages/message.ts';
import {
  MAX_LANGUAGE_CHARACTERS,
  MAX_NAME_CHARACTERS,
  MAX_ADDRESS_FIELDS,
  MAX_ADDRESS_VALUE,
  MAX_PROFILE_CHARACTERS,
} from '../domain/contact-profile.ts';
import {
  EXAMPLE_IDS,
  Language,
  Meta,
  Name,
  OwnedBy,
  Reference,
  Settings,
  TimeInput,
  about,
  idOf,
  named,
  object,
  oneOf,
  referenceTo,
  shownText,
  text,
  shownAs,
} from './kinds.ts';
import { messageInput } from './message-body.ts';

const MAX = MAX_PROFILE_CHARACTERS;

const EMAIL =
  'The email address, in lower case and with its domain in ASCII. Unique within the organization.';

const TELEPHONE =
  'The telephone number, stored as E.164 and unique within the organization. A number without `+` and country code is a number of the country of the organization.';

export const contactExternalId = about(
  shownText({ max: MAX_NAME_CHARACTERS }),
  'The id of the contact in another system, such as a CRM. Unique within the organization.',
  'crm-4711',
);

/** See spec 4.4. */
export const contactProfile = object('ContactProfile', 'The personal data of a contact.', {
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
  'The personal data of a contact. An empty text counts as absent.',
  emptyable,
);

export const upsertProfile = object(
  'UpsertProfile',
  'The personal data of the contact. An empty text counts as absent.',
  emptyable,
);

const IDENTITY_ID = about(
  text({ max: 200 }),
  "The provider's id of the person: a number, an account or an address.",
  '+31612345678',
);

const identityInput = object('IdentityInput', 'An address of the contact on a channel.', {
  service: referenceTo('services', 'A channel service of the organization.'),
  id: IDENTITY_ID,
  name: Type.Optional(about(text({ min: 0, max: MAX.name }), 'The name that the provider shows.', 'Ada')),
});

/** See spec 4.9. */
export const contactNote = object('ContactNote', 'A note of a user about a contact.', {
  id: about(Type.String(), 'The id of the note.', EXAMPLE_IDS.notes),
  text: about(Type.String(), 'The text.', 'Prefers the telephone.'),
  user: idOf('users', 'The author.'),
  createdAt: about(TimeInput, 'The creation time.', '2026-03-14T09:00:00.000Z'),
});

/** See spec 15.1. */
export const contactIdentity = object('ContactIdentity', 'An address of the contact on a channel.', {
  service: idOf('services', 'The channel service.'),
  touchpoint: about(Type.String(), 'The touchpoint of the service.', 'sms'),
  id: IDENTITY_ID,
  name: Type.Optional(about(Type.String(), 'The name that the provider shows.', 'Ada')),
  since: about(
    TimeInput,
    "The time since which it is the contact's address on the service.",
    '2026-03-14T09:00:00.000Z',
  ),
  optedOutAt: Type.Optional(about(TimeInput, 'The time of the opt-out.', '2026-03-14T09:00:00.000Z')),
  unreachableAt: Type.Optional(
    about(
      TimeInput,
      'The time at which the provider reported the address as unreachable.',
      '2026-03-14T09:00:00.000Z',
    ),
  ),
});

const FREE_FORM = 'Keys to set. Null removes a key. Other keys stay.';

const upsertContact = object(
  'UpsertContact',
  'The contact. At least one of `identity`, `externalId`, `profile.email` and `profile.telephone` is required.',
  {
    externalId: Type.Optional(
      about(
        text({ min: 0, max: MAX_NAME_CHARACTERS }),
        'The id of the contact in another system, such as a CRM. Unique within the organization.',
        'crm-4711',
      ),
    ),
    identity: Type.Optional(identityInput),
    profile: Type.Optional(upsertProfile),
    settings: Type.Optional(about(Settings, FREE_FORM, { locale: 'nl' })),
    meta: Type.Optional(about(Meta, FREE_FORM, { customer: 'gold' })),
  },
);

/** Fields of an upsert that its conversation does not have. */
export const upsertFields = {
  contact: upsertContact,
  match: Type.Optional(
    about(
      oneOf(CONTACT_MATCHES),
      'The identifier that finds the contact. `all`: all given identifiers, and none may differ from the value of the contact. Default: `externalId`, then telephone, then email.',
      'all',
    ),
  ),
};

const MAX_CONVERSATION_NAME = 1000;

/** See spec 5.1. */
export const conversationFields = {
  name: Type.Optional(
    about(shownText({ min: 0, max: MAX_CONVERSATION_NAME }), 'The name.', 'A question about an order'),
  ),
  type: Type.Optional(
    about(
      oneOf(CONVERSATION_TYPES),
      'The initiator of the conversation. The third word of event names.',
      'contact',
    ),
  ),
  status: Type.Optional(
    about(
      oneOf(CONVERSATION_STATUSES),
      'The status. `queued`: waits for an agent. `active`: has an agent. `closed`: has ended.',
      'queued',
    ),
  ),
  category: Type.Optional(about(Name, 'The name of the category.', 'sales')),
  categoryIndex: Type.Optional(
    about(Type.Integer({ minimum: 0 }), "The index of the category in the organization's `categories`.", 0),
  ),
  language: Type.Optional(about(Language, 'The language of the conversation.', 'en')),
  meta: Type.Optional(Meta),
};

const orEmpty = (words: string) => `${words} An empty text counts as absent.`;

export const givenFields = {
  ...conversationFields,
  name: Type.Optional(
    about(text({ min: 0, max: MAX_CONVERSATION_NAME }), orEmpty('The name.'), 'A question about an order'),
  ),
  category: Type.Optional(
    about(text({ min: 0, max: MAX_NAME_CHARACTERS }), orEmpty('The name of the category.'), 'sales'),
  ),
  language: Type.Optional(
    about(text({ min: 0, max: MAX_LANGUAGE_CHARACTERS }), orEmpty('The language of the conversation.'), 'en'),
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
        Type.Union([Reference, upsertContact], { description: 'The contact: its id, or its data.' }),
      ),
      match: upsertFields.match,
      messages: Type.Optional(
        about(Type.Array(messageInput, { maxItems: MAX_MESSAGES }), 'Messages to post, in order.'),
      ),
    },
    { description: 'An upsert if `contact` is an object, otherwise a plain create.' },
  ),
);
