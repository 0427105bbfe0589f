import { orgGroupRecords } from '../../../store/records/orggroups.ts';
import { permittedOrganizations } from '../../../application/auth/permitted-organization.ts';
import { recordKind } from '../../records/kind.ts';
import { orgGroupInput, orgGroupPatch, orgGroupSchema } from './schema.ts';

/**
 * Organization groups (spec 4.3). A group belongs to an organization as every record does, and
 * lists others.
 */
export const orgGroups = recordKind({
  name: 'orggroups',
  schema: orgGroupSchema,
  input: orgGroupInput,
  patch: orgGroupPatch,
  store: orgGroupRecords,
  draft: async ({ name, organizations = [] }, principal) => ({
    name,
    organizations: await permittedOrganizations(principal, organizations, 'organizations'),
  }),
  change: async ({ name, organizations }, principal) => ({
    name,
    ...(organizations === undefined
      ? {}
      : { organizations: await permittedOrganizations(principal, organizations ?? [], 'organizations') }),
  }),
});
