import Type from 'typebox';
import { FORM_TYPES } from '../../../domain/messages/message.ts';
import { Id, Meta, Name, Reference, Time, oneOf, patchOf } from '../../../schema/kinds.ts';

const MAX_FIELDS = 200;

const Field = Type.Object({ name: Name, key: Name });

const fields = {
  name: Name,
  organization: Type.Optional(Reference),
  type: Type.Optional(oneOf(FORM_TYPES)),
  fields: Type.Optional(Type.Array(Field, { maxItems: MAX_FIELDS })),
  meta: Type.Optional(Meta),
};

/** What a caller says of a form (spec 4.3). */
export const formInput = Type.Object(fields);

export const formPatch = patchOf(formInput, ['name', 'organization']);

/** A form as it is shown. */
export const formSchema = Type.Object({
  id: Id,
  organization: Id,
  name: Type.String(),
  type: oneOf(FORM_TYPES),
  fields: Type.Array(Field),
  meta: Meta,
  createdBy: Type.Optional(Id),
  createdAt: Time,
  updatedAt: Time,
});
