import { notFound, unprocessable } from '../../domain/refusal.ts';
import { findOrganization, removeOrganization as eraseOrganization } from '../../store/find-organizations.ts';
import { removeContents, whatRemains } from '../../store/organization-contents.ts';
import type { Answer, ApiRequest } from '../request.ts';

/**
 * DELETE /organizations/{id}: with its forms, channels, groups, knowledge items, services and event types. Refused while it has organizations below
 * it, users, contacts or conversations: those have to be removed first, each by its own rules.
 */
export async function removeOrganization({ principal, params }: ApiRequest): Promise<Answer> {
  const organization = await findOrganization(principal.reach, params['id'] ?? '');
  if (!organization) throw notFound('The organization');
  const remains = await whatRemains(organization._id);
  if (remains.length > 0) {
    throw unprocessable(`The organization still has ${remains.join(', ')}. Remove those first.`);
  }
  await removeContents(organization._id);
  await eraseOrganization(principal.reach, organization._id);
  return { status: 204 };
}
