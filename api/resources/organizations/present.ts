import { presentOrganization } from '../../../presenters/organization.ts';
import type { OrganizationDocument } from '../../../store/records/organizations.ts';
import type { Resource } from '../../records/resource.ts';

export const organizations: Resource<OrganizationDocument> = {
  path: '/organizations',
  what: 'The organization',
  present: presentOrganization,
};
