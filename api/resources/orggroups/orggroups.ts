import type { Static } from 'typebox';
import { orgGroupRecords } from '../../../store/records/orggroups.ts';
import { permittedOrganizations } from '../../../auth/permitted-organization.ts';
import { recordHandlers } from '../../records/handlers.ts';
import { orgGroupResource } from './present.ts';
import { orgGroupPaths } from './schema.ts';
import type { orgGroupInput, orgGroupPatch } from './schema.ts';

type OrgGroupInput = Static<typeof orgGroupInput>;
type OrgGroupPatch = Static<typeof orgGroupPatch>;

/**
 * The requests of /orggroups. A group belongs to an organization as every record does, and lists
 * others.
 */
export const orgGroups = recordHandlers({
  resource: orgGroupResource,
  paths: orgGroupPaths,
  store: orgGroupRecords,
  draft: async ({ name, organizations = [] }: OrgGroupInput, principal) => ({
    name,
    organizations: await permittedOrganizations(principal, organizations, 'organizations'),
  }),
  change: async ({ name, organizations }: OrgGroupPatch, principal) => ({
    name,
    ...(organizations === undefined
      ? {}
      : { organizations: await permittedOrganizations(principal, organizations ?? [], 'organizations') }),
  }),
});
