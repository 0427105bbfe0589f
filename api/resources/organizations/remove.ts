import { notFound, unprocessable } from '../../../domain/errors.ts';
import { deleteRemoved, updateOrganization } from '../../../store/records/find-organizations.ts';
import {
  closeOrganization,
  removeContents,
  findRemainingRecords,
} from '../../../store/records/organization-contents.ts';
import { recordTarget, withIfMatch } from '../../records/if-match.ts';
import type { HandlerResult, ApiRequest } from '../../request.ts';
import { organizations } from './schema.ts';

/**
 * DELETE /organizations/{id}: refused while the organization has child organizations, users,
 * contacts or conversations.
 */
export async function removeOrganization(request: ApiRequest): Promise<HandlerResult> {
  const { principal } = request;
  const organization = await withIfMatch(
    request,
    recordTarget(organizations, request),
    async (found, seen) => {
      assertNoRemains(await findRemainingRecords(found._id));
      // Changes the ETag: concurrent requests with the same ETag fail.
      return seen ? updateOrganization(principal.reach, found._id, {}, seen) : found;
    },
  );
  if (!organization) throw notFound('The organization');
  assertNoRemains(await closeOrganization(organization._id));
  await removeContents(organization._id);
  await deleteRemoved(organization._id);
  return { status: 204 };
}

function assertNoRemains(remains: string[]): void {
  if (remains.length === 0) return;
  throw unprocessable(`The organization still has ${remains.join(', ')}. Remove those first.`);
}
