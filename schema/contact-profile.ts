import Type from 'typebox';
import { MAX_ADDRESS_FIELDS } from '../domain/effects/contact-effects.ts';
import { Name, text } from './kinds.ts';

const MAX_EMAIL_LENGTH = 320;
const MAX_TELEPHONE_LENGTH = 64;

/** What is known of a contact as a person (spec 4.4). */
export const contactProfile = Type.Object({
  name: Type.Optional(Name),
  givenName: Type.Optional(Name),
  familyName: Type.Optional(Name),
  email: Type.Optional(text({ max: MAX_EMAIL_LENGTH })),
  telephone: Type.Optional(text({ max: MAX_TELEPHONE_LENGTH })),
  locale: Type.Optional(text({ max: 64 })),
  address: Type.Optional(
    Type.Record(Type.String(), Type.String({ maxLength: 1000 }), { maxProperties: MAX_ADDRESS_FIELDS }),
  ),
});

/**
 * The same in an upsert, where who fills in a web form leaves one of the two ways to reach them
 * empty.
 */
export const upsertProfile = Type.Object({
  ...contactProfile.properties,
  email: Type.Optional(text({ min: 0, max: MAX_EMAIL_LENGTH })),
  telephone: Type.Optional(text({ min: 0, max: MAX_TELEPHONE_LENGTH })),
});
