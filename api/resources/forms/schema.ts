import Type from 'typebox';
import { FORM_TYPES } from '../../../domain/messages/message.ts';
import {
  Meta,
  Name,
  OwnedBy,
  Owner,
  about,
  idOf,
  madeAndChanged,
  named,
  object,
  oneOf,
  patchOf,
} from '../../../application/schema/kinds.ts';

const MAX_FIELDS = 200;

const TYPE = 'A `static` form stays with a conversation; a `topic` is picked.';

const Field = object('FormField', 'A field of a form.', {
  name: about(Name, 'What people read.', 'How many guests?'),
  key: about(Name, 'What its value is stored under.', 'guests'),
});

const fields = {
  name: about(Name, 'The name.', 'Booking'),
  organization: OwnedBy,
  type: Type.Optional(about(oneOf(FORM_TYPES), TYPE)),
  fields: Type.Optional(about(Type.Array(Field, { maxItems: MAX_FIELDS }), 'Its fields, in order.')),
  meta: Type.Optional(Meta),
};

/** What a caller says of a form (spec 4.3). */
export const formInput = object('FormInput', 'A form to create.', fields);

export const formPatch = named('FormPatch', patchOf(formInput, ['name', 'organization']));

/** A form as it is shown. */
export const formSchema = object('Form', 'What is to be asked in a conversation.', {
  id: idOf('forms', 'Its id.'),
  organization: Owner,
  name: about(Type.String(), 'The name.', 'Booking'),
  type: about(oneOf(FORM_TYPES), TYPE),
  fields: about(Type.Array(Field), 'Its fields, in order.'),
  meta: Meta,
  ...madeAndChanged,
});
