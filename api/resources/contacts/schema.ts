import Type from 'typebox';
import { pathsOf } from '../../listing/paths.ts';
import { contactProfile } from '../../../schema/contact-profile.ts';
import { Id, Meta, Reference, Time, patchOf } from '../../../schema/kinds.ts';

const fields = {
  profile: Type.Optional(contactProfile),
  settings: Type.Optional(Meta),
  meta: Type.Optional(Meta),
};

export const contactInput = Type.Object({ organization: Type.Optional(Reference), ...fields });

export const contactPatch = patchOf(contactInput, ['organization']);

/** A contact as it is shown. */
export const contactSchema = Type.Object({
  id: Id,
  organization: Id,
  conversation: Type.Optional(Id),
  profile: contactProfile,
  settings: Meta,
  meta: Meta,
  createdBy: Type.Optional(Id),
  createdAt: Time,
  updatedAt: Time,
});

/** The fields of contacts that queries may name. */
export const contactPaths = pathsOf(contactSchema);
