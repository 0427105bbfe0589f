import Type from 'typebox';
import { MAX_ADDRESS_FIELDS, MAX_ADDRESS_VALUE, MAX_PROFILE_CHARACTERS } from '../domain/contact-profile.ts';
import { text } from './kinds.ts';

const MAX = MAX_PROFILE_CHARACTERS;

/** What is known of a contact as a person (spec 4.4). */
export const contactProfile = Type.Object({
  name: Type.Optional(text({ max: MAX.name })),
  givenName: Type.Optional(text({ max: MAX.givenName })),
  familyName: Type.Optional(text({ max: MAX.familyName })),
  email: Type.Optional(text({ max: MAX.email })),
  telephone: Type.Optional(text({ max: MAX.telephone })),
  locale: Type.Optional(text({ max: MAX.locale })),
  address: Type.Optional(
    Type.Record(Type.String(), Type.String({ maxLength: MAX_ADDRESS_VALUE }), {
      maxProperties: MAX_ADDRESS_FIELDS,
    }),
  ),
});

/**
 * The same in an upsert, where who fills in a web form leaves one of the two ways to reach them
 * empty.
 */
export const upsertProfile = Type.Object({
  ...contactProfile.properties,
  email: Type.Optional(text({ min: 0, max: MAX.email })),
  telephone: Type.Optional(text({ min: 0, max: MAX.telephone })),
});
