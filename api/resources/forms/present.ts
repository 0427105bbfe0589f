import { shown } from '../../../domain/shown.ts';
import type { FormDocument } from '../../../store/records/forms.ts';
import type { Resource } from '../../records/resource.ts';

const FIELDS = [
  'organization',
  'name',
  'type',
  'fields',
  'meta',
  'createdBy',
  'createdAt',
  'updatedAt',
] as const;

export const formResource: Resource<FormDocument> = {
  path: '/forms',
  what: 'The form',
  present: (record) => shown(record, FIELDS),
};
