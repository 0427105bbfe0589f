import {
  findOrganization,
  findOrganizationsByIds,
  listOrganizations,
} from '../../../store/records/find-organizations.ts';
import { organizationRecord } from '../../../store/records/organizations.ts';
import { recordSource } from '../../records/resource.ts';

export const organizations = recordSource(organizationRecord, {
  find: findOrganization,
  findMany: findOrganizationsByIds,
  list: listOrganizations,
});
