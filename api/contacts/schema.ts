import Type from 'typebox';
import { pathsOf } from '../listing/paths.ts';
import { Id, Meta, Name, Reference, Time, patchOf, text } from '../schema/kinds.ts';

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

const fields = { profile: Type.Optional(contactProfile), meta: Type.Optional(Meta) };

export const contactInput = Type.Object({ organization: Type.Optional(Reference), ...fields });

export const contactPatch = patchOf(Type.Object(fields));

/** A contact as it is shown. */
export const contactSchema = Type.Object({
  id: Id,
  organization: Id,
  conversation: Type.Optional(Id),
  profile: contactProfile,
  meta: Meta,
  createdBy: Type.Optional(Id),
  createdAt: Time,
  updatedAt: Time,
});

/** The fields of contacts that queries may name. */
export const contactPaths = pathsOf(contactSchema);
