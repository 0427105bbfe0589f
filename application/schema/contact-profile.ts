import Type from 'typebox';
import {
  MAX_ADDRESS_FIELDS,
  MAX_ADDRESS_VALUE,
  MAX_PROFILE_CHARACTERS,
} from '../../domain/contact-profile.ts';
import { about, object, shownAs, shownText, text } from './kinds.ts';

const MAX = MAX_PROFILE_CHARACTERS;

const EMAIL =
  'The email address, in lower case and with its domain in ASCII; unique within the organization.';
const TELEPHONE =
  'The telephone number, stored as E.164 and unique within the organization. Without `+` and country code it is read as one of the country of the organization.';

/** What is known of a contact as a person (spec 4.4). */
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

/** The texts of a profile that may be empty: web forms send fields that nobody filled in. */
const emptyable = {
  ...contactProfile.properties,
  name: Type.Optional(about(text({ min: 0, max: MAX.name }), 'The full name.', 'Ada Lovelace')),
  givenName: Type.Optional(about(text({ min: 0, max: MAX.givenName }), 'The first name.', 'Ada')),
  familyName: Type.Optional(about(text({ min: 0, max: MAX.familyName }), 'The last name.', 'Lovelace')),
  email: Type.Optional(about(text({ min: 0, max: MAX.email }), EMAIL, 'ada@example.com')),
  telephone: Type.Optional(about(text({ min: 0, max: MAX.telephone }), TELEPHONE, '+31201234567')),
  locale: Type.Optional(about(text({ min: 0, max: MAX.locale }), 'The language and region.', 'nl-NL')),
};

/** The profile of a contact that is made. */
export const newProfile = object(
  'NewContactProfile',
  'What is known of a contact as a person; an empty text counts as absent.',
  emptyable,
);

/** The profile in an upsert. */
export const upsertProfile = object(
  'UpsertProfile',
  'Who the contact is. At least one of `email` and `telephone` is needed; an empty text counts as absent.',
  emptyable,
);
