import type { ServiceDocument } from '../../store/services.ts';
import type { Resource } from '../records/answers.ts';
import { shown } from '../../domain/shown.ts';

export const services: Resource<ServiceDocument> = {
  path: '/services',
  what: 'The service',
  present: ({ failedEvents: _, formerSecrets: __, ...service }) => shown(service),
};
