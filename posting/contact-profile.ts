import Type from 'typebox';
import { ADDRESS_FIELDS_MOST } from '../domain/effects.ts';
import { Name, text } from '../schema/kinds.ts';

const EMAIL_MOST = 320;
const TELEPHONE_MOST = 64;

/** What is known of a contact as a person (contract 4). */
export const contactProfile = Type.Object({
  name: Type.Optional(Name),
  givenName: Type.Optional(Name),
  familyName: Type.Optional(Name),
  email: Type.Optional(text({ max: EMAIL_MOST })),
  telephone: Type.Optional(text({ max: TELEPHONE_MOST })),
  locale: Type.Optional(text({ max: 64 })),
  address: Type.Optional(
    Type.Record(Type.String(), Type.String({ maxLength: 1000 }), { maxProperties: ADDRESS_FIELDS_MOST }),
  ),
});

/** The same in an upsert, where who fills in a web form leaves one of the two ways to reach him empty. */
export const upsertProfile = Type.Object({
  ...contactProfile.properties,
  email: Type.Optional(text({ min: 0, max: EMAIL_MOST })),
  telephone: Type.Optional(text({ min: 0, max: TELEPHONE_MOST })),
});
