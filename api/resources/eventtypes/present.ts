import { shown } from '../../../domain/shown.ts';
import type { EventTypeDocument } from '../../../store/records/eventtypes.ts';
import type { Resource } from '../../records/resource.ts';

const FIELDS = [
  'organization',
  'name',
  'description',
  'jsonata',
  'createdBy',
  'createdAt',
  'updatedAt',
] as const;

export const eventTypeResource: Resource<EventTypeDocument> = {
  path: '/eventtypes',
  what: 'The event type',
  present: (record) => shown(record, FIELDS),
};
