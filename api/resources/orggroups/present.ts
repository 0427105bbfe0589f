import { shown } from '../../../domain/shown.ts';
import type { OrgGroupDocument } from '../../../store/records/orggroups.ts';
import type { Resource } from '../../records/resource.ts';

const FIELDS = [
  'organization',
  'name',
  'organizations',
  'meta',
  'createdBy',
  'createdAt',
  'updatedAt',
] as const;

export const orgGroupResource: Resource<OrgGroupDocument> = {
  path: '/orggroups',
  what: 'The organization group',
  present: (record) => shown(record, FIELDS),
};
