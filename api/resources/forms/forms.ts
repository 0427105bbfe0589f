import { assertSafeKey } from '../../../domain/free-form.ts';
import { invalidRequest } from '../../../domain/errors.ts';
import { formRecord, formRecords } from '../../../store/records/forms.ts';
import { removeFromCategories } from '../../../store/records/organizations.ts';
import { recordKind } from '../../records/kind.ts';

export const forms = recordKind({
  record: formRecord,
  store: formRecords,
  prepare: ({ fields }) => {
    assertUsableKeys(fields ?? []);
    return {};
  },
  ending: { 'organizations.categories.forms': removeFromCategories },
});

function assertUsableKeys(fields: { key: string }[]): void {
  const keys = new Set<string>();
  fields.forEach(({ key }, at) => {
    const path = `fields.${at}.key`;
    assertSafeKey(key, path);
    if (keys.has(key)) throw invalidRequest(path, 'must not be that of another field');
    keys.add(key);
  });
}
