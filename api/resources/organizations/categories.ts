import type { Principal } from '../../../application/auth/principal.ts';
import { MAX_CATEGORY_CHARACTERS } from '../../../domain/conversations/bounds.ts';
import { invalidRequest, unprocessable } from '../../../domain/refusal.ts';
import { formRecords } from '../../../store/records/forms.ts';
import type { OrganizationDocument } from '../../../store/records/organizations.ts';

type Categories = OrganizationDocument['categories'];

/**
 * Categories with their defaults. Throws DomainError `unprocessable` for two of one name, which
 * could not be told apart, and for a form that the caller does not see, unless the organization
 * lists it already (`stored`): an organization above may have said so. Throws `invalid_request` for
 * a name that is too long for a conversation.
 */
export async function checkCategories(
  given: { name: string; forms?: string[] | undefined }[],
  { reach }: Principal,
  stored: Categories = [],
): Promise<Categories> {
  const categories = given.map(({ name, forms = [] }) => ({ name, forms }));
  assertUniqueNames(categories);
  assertShortNames(categories, stored);
  const seen = await formRecords.findMany(reach, collectForms(categories));
  const known = new Set([...seen.map(({ _id }) => _id), ...collectForms(stored)]);
  categories.forEach(({ forms }, at) => {
    const strange = forms.findIndex((form) => !known.has(form));
    if (strange >= 0) throw unprocessable('there is no such form', `categories.${at}.forms.${strange}`);
  });
  return categories;
}

function assertUniqueNames(categories: Categories): void {
  const seen = new Set<string>();
  categories.forEach(({ name }, at) => {
    if (seen.has(name)) throw unprocessable('is the name of another category', `categories.${at}.name`);
    seen.add(name);
  });
}

/** A conversation counts UTF-16 units, of which an emoji has two; the schema counts characters. */
function assertShortNames(categories: Categories, stored: Categories): void {
  const kept = new Set(stored.map(({ name }) => name));
  categories.forEach(({ name }, at) => {
    if (name.length <= MAX_CATEGORY_CHARACTERS || kept.has(name)) return;
    const rule = `must have at most ${MAX_CATEGORY_CHARACTERS} characters, of which an emoji counts as two`;
    throw invalidRequest(`categories.${at}.name`, rule);
  });
}

function collectForms(categories: Categories): string[] {
  return categories.flatMap(({ forms }) => forms);
}
