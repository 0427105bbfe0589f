import Type from 'typebox';
import { Name, text } from '../schema/kinds.ts';

/** What is known of a contact as a person (contract 4). */
export const contactProfile = Type.Object({
  name: Type.Optional(Name),
  givenName: Type.Optional(Name),
  familyName: Type.Optional(Name),
  email: Type.Optional(text({ max: 320 })),
  telephone: Type.Optional(text({ max: 64 })),
  locale: Type.Optional(text({ max: 64 })),
  address: Type.Optional(Type.Record(Type.String(), Type.String({ maxLength: 1000 }))),
});
