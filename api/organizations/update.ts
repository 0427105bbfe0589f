import type { Static } from 'typebox';
import { refuseMeta } from '../../domain/free-form.ts';
import { updateOrganization as writeOrganization } from '../../store/find-organizations.ts';
import { recordAnswer } from '../records/answers.ts';
import type { Answer, ApiRequest } from '../request.ts';
import { organizations } from './present.ts';
import type { organizationPatch } from './schema.ts';

/** PATCH /organizations/{id}. */
export async function updateOrganization({
  principal,
  params,
  body,
}: ApiRequest<Static<typeof organizationPatch>>): Promise<Answer> {
  const { meta, tags, categories, ...fields } = body;
  if (meta) refuseMeta(meta);
  const updated = await writeOrganization(principal.reach, params['id'] ?? '', {
    ...fields,
    ...(meta === undefined ? {} : { meta: meta ?? {} }),
    ...(tags === undefined ? {} : { tags: tags ?? [] }),
    ...(categories === undefined
      ? {}
      : { categories: (categories ?? []).map(({ name, forms = [] }) => ({ name, forms })) }),
  });
  return recordAnswer(organizations, updated);
}
