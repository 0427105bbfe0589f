import { assertSafeKey } from '../../../domain/free-form.ts';
import { invalidRequest } from '../../../domain/refusal.ts';
import { removeFromCategories } from '../../../store/records/categories.ts';
import { formRecords } from '../../../store/records/forms.ts';
import { recordKind } from '../../records/kind.ts';
import { formInput, formPatch, formSchema } from './schema.ts';

/** Forms (spec 4.3). */
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

/**
 * A key names a value of the form in a conversation: it must be one that can be stored there, and
 * its own.
 */
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
