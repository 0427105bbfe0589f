import type { Static } from 'typebox';
import { refuseMeta } from '../../domain/free-form.ts';
import { notFound, unprocessable } from '../../domain/refusal.ts';
import { permittedOrganizations } from '../../posting/permitted-organization.ts';
import { findOrganization, updateOrganization as writeOrganization } from '../../store/find-organizations.ts';
import { recordAnswer } from '../records/answers.ts';
import type { Answer, ApiRequest } from '../request.ts';
import { checkedCategories } from './categories.ts';
import { organizations } from './present.ts';
import type { organizationPatch } from './schema.ts';

/** PATCH /organizations/{id}. An organization keeps its place in the tree: another `parent` is refused. */
export async function updateOrganization({
  principal,
  params,
  body,
}: ApiRequest<Static<typeof organizationPatch>>): Promise<Answer> {
  const stored = await findOrganization(principal.reach, params['id'] ?? '');
  if (!stored) throw notFound('The organization');
  const { meta, tags, categories, parent, ...fields } = body;
  if (parent !== undefined && parent !== stored.parent) {
    await permittedOrganizations(principal, [parent], 'parent');
    throw unprocessable('an organization cannot be moved', 'parent');
  }
  if (meta) refuseMeta(meta);
  const updated = await writeOrganization(principal.reach, stored._id, {
    ...fields,
    ...(meta === undefined ? {} : { meta: meta ?? {} }),
    ...(tags === undefined ? {} : { tags: tags ?? [] }),
    ...(categories === undefined
      ? {}
      : { categories: await checkedCategories(categories ?? [], principal, stored.categories) }),
  });
  return recordAnswer(organizations, updated);
}
