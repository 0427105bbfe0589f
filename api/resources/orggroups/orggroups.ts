import { orgGroupRecords } from '../../../store/records/orggroups.ts';
import { permittedOrganizations } from '../../../application/auth/principal.ts';
import { recordKind } from '../../records/kind.ts';
import Type from 'typebox';
import {
  EXAMPLE_IDS,
  Id,
  Meta,
  Name,
  OwnedBy,
  Owner,
  Reference,
  about,
  idOf,
  madeAndChanged,
  named,
  object,
  patchOf,
} from '../../../application/schema/kinds.ts';

const MAX_ORGANIZATIONS = 1000;

const ORGANIZATIONS = 'The ids of its organizations.';

const fields = {
  name: about(Name, 'The name.', 'Shops in Amsterdam'),
  organization: OwnedBy,
  organizations: Type.Optional(
    about(Type.Array(Reference, { maxItems: MAX_ORGANIZATIONS, uniqueItems: true }), ORGANIZATIONS, [
      EXAMPLE_IDS.organizations,
    ]),
  ),
  meta: Type.Optional(Meta),
};

/** See spec 4.3. */
const orgGroupInput = object('OrganizationGroupInput', 'An organization group to create.', fields);

const orgGroupPatch = named('OrganizationGroupPatch', patchOf(orgGroupInput, ['name', 'organization']));

const orgGroupSchema = object('OrganizationGroup', 'Organizations that belong together.', {
  id: idOf('orggroups', 'Its id.'),
  organization: Owner,
  name: about(Type.String(), 'The name.', 'Shops in Amsterdam'),
  organizations: about(Type.Array(Id), ORGANIZATIONS, [EXAMPLE_IDS.organizations]),
  meta: Meta,
  ...madeAndChanged,
});

/** See spec 4.3. */
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
