import type { Static } from 'typebox';
import { refuseMeta } from '../../domain/free-form.ts';
import { insertBelow } from '../../store/find-organizations.ts';
import { createdAnswer } from '../records/answers.ts';
import type { Answer, Api, ApiRequest } from '../request.ts';
import { notYours } from '../../posting/permitted-organization.ts';
import { checkedCategories } from './categories.ts';
import { organizations } from './present.ts';
import type { organizationInput } from './schema.ts';

/** POST /organizations: below the caller's own, or below `parent`. */
export async function createOrganization(
  request: ApiRequest<Static<typeof organizationInput>>,
  api: Api,
): Promise<Answer> {
  const { principal, body, mint, receivedAt } = request;
  const { parent = principal.organization, categories = [], tags = [], meta = {}, ...fields } = body;
  refuseMeta(meta);
  const now = new Date(receivedAt);
  const organization = await insertBelow(principal.reach, parent, {
    ...fields,
    _id: mint.id(),
    tags,
    categories: await checkedCategories(categories, principal),
    meta,
    createdBy: principal.user,
    createdAt: now,
    updatedAt: now,
  });
  if (!organization) throw notYours('parent');
  return createdAnswer(organizations, organization, api);
}
