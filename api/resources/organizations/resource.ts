import { presentOrganization } from '../../../application/presenters/organization.ts';
import {
  findOrganization,
  findOrganizationsByIds,
  listOrganizations,
} from '../../../store/records/find-organizations.ts';
import type { OrganizationDocument } from '../../../store/records/organizations.ts';
import type { RecordSource } from '../../records/resource.ts';
import { organizationPaths, organizationSchema } from './schema.ts';

export const organizations: RecordSource<OrganizationDocument, 'organizations'> = {
  name: 'organizations',
  schema: organizationSchema,
  paths: organizationPaths,
  present: presentOrganization,
  find: findOrganization,
  findMany: findOrganizationsByIds,
  list: listOrganizations,
};
