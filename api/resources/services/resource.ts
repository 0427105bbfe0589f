import { findService, findServicesByIds, listServices } from '../../../store/delivery/services.ts';
import type { ServiceDocument } from '../../../store/delivery/services.ts';
import type { RecordSource } from '../../records/resource.ts';
import { presentRecord } from '../../../domain/shown.ts';
import { servicePaths, serviceSchema } from './schema.ts';

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

export const services: RecordSource<ServiceDocument, 'services'> = {
  name: 'services',
  schema: serviceSchema,
  paths: servicePaths,
  present: (service) => presentRecord(service, FIELDS),
  find: findService,
  findMany: findServicesByIds,
  list: listServices,
};
