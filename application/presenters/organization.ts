import { presentWithSettings } from '../../domain/record-fields.ts';
import type { OrganizationDocument } from '../../store/records/organizations.ts';

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

/** Returns an organization as the API shows it (spec 4.3). */
export function presentOrganization(organization: OrganizationDocument): Record<string, unknown> {
  return presentWithSettings(organization, FIELDS);
}
