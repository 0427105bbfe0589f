import type { Static } from 'typebox';
import { parseEmail } from '../../../domain/email.ts';
import { assertValidFreeForm } from '../../../domain/free-form.ts';
import { unprocessable } from '../../../domain/refusal.ts';
import { assertValidWidget } from '../../../domain/widget.ts';
import { permittedOrganizations } from '../../../application/auth/permitted-organization.ts';
import { updateOrganization as writeOrganization } from '../../../store/records/find-organizations.ts';
import type { OrganizationDocument } from '../../../store/records/organizations.ts';
import { buildRecordResult } from '../../records/answers.ts';
import { recordTarget, withIfMatch } from '../../records/unless-changed.ts';
import type { HandlerResult, ApiRequest } from '../../request.ts';
import { checkCategories } from './categories.ts';
import { organizations } from './resource.ts';
import type { organizationPatch } from './schema.ts';

type OrganizationPatch = Static<typeof organizationPatch>;

/**
 * PATCH /organizations/{id}. An organization keeps its place in the tree: another `parent` is
 * refused.
 */
export async function updateOrganization(request: ApiRequest<OrganizationPatch>): Promise<HandlerResult> {
  const updated = await withIfMatch(request, recordTarget(organizations, request), (stored, seen) =>
    change(request, { stored, seen }),
  );
  return buildRecordResult(organizations, updated);
}

async function change(
  { principal, body }: ApiRequest<OrganizationPatch>,
  { stored, seen }: { stored: OrganizationDocument; seen: OrganizationDocument | undefined },
): Promise<OrganizationDocument | null> {
  const { meta, tags, categories, parent, email, ...fields } = body;
  if (parent !== undefined && parent !== stored.parent) {
    await permittedOrganizations(principal, [parent], 'parent');
    throw unprocessable('an organization cannot be moved', 'parent');
  }
  assertValidFreeForm(body);
  assertValidWidget(meta);
  const patch = {
    ...fields,
    ...(email === undefined || email === stored.email ? {} : { email: email && parseEmail(email, 'email') }),
    ...(meta === undefined ? {} : { meta: meta ?? {} }),
    ...(tags === undefined ? {} : { tags: tags ?? [] }),
    ...(categories === undefined
      ? {}
      : { categories: await checkCategories(categories ?? [], principal, stored.categories) }),
  };
  return writeOrganization(principal.reach, stored._id, patch, seen);
}
