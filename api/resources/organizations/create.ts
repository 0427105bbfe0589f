import type { Static } from 'typebox';
import type { Principal } from '../../../application/auth/principal.ts';
import { parseEmail } from '../../../domain/email.ts';
import { assertValidFreeForm } from '../../../domain/free-form.ts';
import { notWithinReach, unprocessable } from '../../../domain/refusal.ts';
import { assertValidWidget } from '../../../domain/widget.ts';
import { insertBelow } from '../../../store/records/find-organizations.ts';
import { buildCreatedResult } from '../../records/answers.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';
import { permittedOrganizations } from '../../../application/auth/permitted-organization.ts';
import { organizationContext } from '../../../store/records/organizations.ts';
import { checkCategories } from './categories.ts';
import { organizations } from './resource.ts';
import type { organizationInput } from './schema.ts';

/**
 * An organization names all above it, and so does what it is searched by: the root's level is 0.
 */
const MAX_LEVEL = 32;

/** POST /organizations: below the caller's own, or below `parent`. */
export async function createOrganization(
  request: ApiRequest<Static<typeof organizationInput>>,
  api: Api,
): Promise<HandlerResult> {
  const { principal, body, ids, receivedAt } = request;
  const { parent = principal.organization, email, categories = [], tags = [], meta = {}, ...fields } = body;
  assertValidFreeForm(body);
  assertValidWidget(body.meta);
  await assertAllowedDepth(principal, parent);
  const now = new Date(receivedAt);
  const organization = await insertBelow(principal.reach, parent, {
    ...fields,
    ...(email === undefined ? {} : { email: parseEmail(email, 'email') }),
    _id: ids.newId(),
    tags,
    categories: await checkCategories(categories, principal),
    meta,
    createdBy: principal.user,
    createdAt: now,
    updatedAt: now,
  });
  if (!organization) throw notWithinReach('parent');
  return buildCreatedResult(organizations, organization, api);
}

async function assertAllowedDepth(principal: Principal, parent: string): Promise<void> {
  await permittedOrganizations(principal, [parent], 'parent');
  const context = await organizationContext(parent);
  if (context && context.path.length > MAX_LEVEL) {
    throw unprocessable(`is at level ${MAX_LEVEL}, where none go below`, 'parent');
  }
}
