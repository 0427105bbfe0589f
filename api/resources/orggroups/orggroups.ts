import { permittedOrganizations } from '../../../application/auth/principal.ts';
import { orgGroupRecord, orgGroupRecords } from '../../../store/records/orggroups.ts';
import { recordKind } from '../../records/kind.ts';

export const orgGroups = recordKind({
  record: orgGroupRecord,
  store: orgGroupRecords,
  prepare: async ({ organizations }, principal) => {
    await permittedOrganizations(principal, organizations ?? [], 'organizations');
    return {};
  },
});
