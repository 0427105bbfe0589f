import { shown } from '../../../domain/shown.ts';
import type { KbItemDocument } from '../../../store/records/kbitems.ts';
import type { Resource } from '../../records/resource.ts';

const FIELDS = [
  'organization',
  'title',
  'content',
  'language',
  'tags',
  'meta',
  'createdBy',
  'createdAt',
  'updatedAt',
] as const;

export const kbItemResource: Resource<KbItemDocument> = {
  path: '/kbitems',
  what: 'The knowledge item',
  present: (record) => shown(record, FIELDS),
};
