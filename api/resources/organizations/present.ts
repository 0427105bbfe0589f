import type { OrganizationDocument } from '../../../store/records/organizations.ts';
import type { Resource } from '../../records/resource.ts';
import { shown } from '../../../domain/shown.ts';

const FIELDS = [
  'name',
  'displayName',
  'email',
  'url',
  'country',
  'logo',
  'industry',
  'status',
  'tags',
  'parent',
  'path',
  'level',
  'categories',
  'settings',
  'meta',
  'createdBy',
  'createdAt',
  'updatedAt',
] as const;

export const organizations: Resource<OrganizationDocument> = {
  path: '/organizations',
  what: 'The organization',
  present: (organization) => ({ settings: {}, ...shown(organization, FIELDS) }),
};
