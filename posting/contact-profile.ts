import Type from 'typebox';
import { Name, text } from '../schema/kinds.ts';

/** An address grows message by message too, and a record has to stay storable. */
export const MOST_ADDRESS_FIELDS = 50;

/** What is known of a contact as a person (contract 4). */
export const contactProfile = Type.Object({
  name: Type.Optional(Name),
  givenName: Type.Optional(Name),
  familyName: Type.Optional(Name),
  email: Type.Optional(text({ max: 320 })),
  telephone: Type.Optional(text({ max: 64 })),
  locale: Type.Optional(text({ max: 64 })),
  address: Type.Optional(
    Type.Record(Type.String(), Type.String({ maxLength: 1000 }), { maxProperties: MOST_ADDRESS_FIELDS }),
  ),
});
