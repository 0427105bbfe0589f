import { assertSafeKey } from '../../../domain/free-form.ts';
import { invalidRequest } from '../../../domain/errors.ts';
import { removeFromCategories } from '../../../store/records/organizations.ts';
import { formRecords } from '../../../store/records/forms.ts';
import { recordKind } from '../../records/kind.ts';
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

/** See spec 4.3. */
const formInput = object('FormInput', 'A form to create.', fields);

const formPatch = named('FormPatch', patchOf(formInput, ['name', 'organization']));

const formSchema = object('Form', 'What is to be asked in a conversation.', {
  id: idOf('forms', 'Its id.'),
  organization: Owner,
  name: about(Type.String(), 'The name.', 'Booking'),
  type: about(oneOf(FORM_TYPES), TYPE),
  fields: about(Type.Array(Field), 'Its fields, in order.'),
  meta: Meta,
  ...madeAndChanged,
});

/** See spec 4.3. */
export const forms = recordKind({
  name: 'forms',
  schema: formSchema,
  input: formInput,
  patch: formPatch,
  store: formRecords,
  draft: ({ name, type = 'topic', fields = [] }) => ({ name, type, fields: checkFields(fields) }),
  change: ({ name, type, fields }) => ({
    name,
    ...(type === undefined ? {} : { type: type ?? 'topic' }),
    ...(fields === undefined ? {} : { fields: checkFields(fields ?? []) }),
  }),
  ending: { 'organizations.categories.forms': removeFromCategories },
});

/** Throws unless the keys are unique and can be stored as keys of values. */
function checkFields(fields: { name: string; key: string }[]): { name: string; key: string }[] {
  const keys = new Set<string>();
  fields.forEach(({ key }, at) => {
    const path = `fields.${at}.key`;
    assertSafeKey(key, path);
    if (keys.has(key)) throw invalidRequest(path, 'must not be that of another field');
    keys.add(key);
  });
  return fields;
}
