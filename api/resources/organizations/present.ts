import type { OrganizationDocument } from '../../../store/records/organizations.ts';
import type { Resource } from '../../records/resource.ts';
import { shown } from '../../../domain/shown.ts';

export const organizations: Resource<OrganizationDocument> = {
  path: '/organizations',
  what: 'The organization',
  present: ({ settings = {}, ...organization }) => ({ ...shown(organization), settings }),
};
