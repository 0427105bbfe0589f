import Type from 'typebox';
import { EXAMPLE_IDS, Meta, Name, OwnedBy, Reference, about } from '../../schema/kinds.ts';
import { declareRecord, withDefault } from '../../schema/record.ts';
import { defineRecordModel } from '../connection/model.ts';
import { tenantRecords } from './tenant-records.ts';
import type { RecordDocument } from '../connection/model.ts';

const MAX_ORGANIZATIONS = 1000;

/** See spec 4.3. */
export const orgGroupRecord = declareRecord({
  resource: 'orggroups',
  title: 'OrganizationGroup',
  description: 'A group of organizations.',
  fields: {
    name: about(Name, 'The name.', 'Shops in Amsterdam'),
    organization: OwnedBy,
    organizations: withDefault(
      about(
        Type.Array(Reference, { maxItems: MAX_ORGANIZATIONS, uniqueItems: true }),
        'The ids of the organizations.',
        [EXAMPLE_IDS.organizations],
      ),
      [],
    ),
    meta: withDefault(Meta, {}),
  },
});

export const orgGroupModel = defineRecordModel<RecordDocument<typeof orgGroupRecord>>(
  'OrgGroup',
  orgGroupRecord,
  [[{ organization: 1, _id: 1 }], [{ organizations: 1 }]],
);

export const orgGroupRecords = tenantRecords(orgGroupModel);
