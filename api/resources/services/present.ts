import type { ServiceDocument } from '../../../store/delivery/services.ts';
import type { Resource } from '../../records/resource.ts';
import { shown } from '../../../domain/shown.ts';

const FIELDS = [
  'organization',
  'name',
  'type',
  'user',
  'params',
  'status',
  'statusReason',
  'verifiedAt',
  'failingSince',
  'createdBy',
  'createdAt',
  'updatedAt',
] as const;

export const services: Resource<ServiceDocument> = {
  path: '/services',
  what: 'The service',
  present: (service) => shown(service, FIELDS),
};
