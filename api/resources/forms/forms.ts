import type { Static } from 'typebox';
import { refuseKey } from '../../../domain/free-form.ts';
import { invalidRequest } from '../../../domain/refusal.ts';
import { removeFromCategories } from '../../../store/records/categories.ts';
import { formRecords } from '../../../store/records/forms.ts';
import { recordHandlers } from '../../records/handlers.ts';
import { formResource } from './present.ts';
import { formPaths } from './schema.ts';
import type { formInput, formPatch } from './schema.ts';

type FormInput = Static<typeof formInput>;
type FormPatch = Static<typeof formPatch>;

/** The requests of /forms. */
export const forms = recordHandlers({
  resource: formResource,
  paths: formPaths,
  store: formRecords,
  draft: ({ name, type = 'topic', fields = [] }: FormInput) => ({ name, type, fields: checked(fields) }),
  change: ({ name, type, fields }: FormPatch) => ({
    name,
    ...(type === undefined ? {} : { type: type ?? 'topic' }),
    ...(fields === undefined ? {} : { fields: checked(fields ?? []) }),
  }),
  removed: ({ _id }) => removeFromCategories(_id),
});

/**
 * A key names a value of the form in a conversation: it must be one that can be stored there, and
 * its own.
 */
function checked(fields: { name: string; key: string }[]): { name: string; key: string }[] {
  const keys = new Set<string>();
  fields.forEach(({ key }, at) => {
    const path = `fields.${at}.key`;
    refuseKey(key, path);
    if (keys.has(key)) throw invalidRequest(path, 'must not be that of another field');
    keys.add(key);
  });
  return fields;
}
