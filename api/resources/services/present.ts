import type { ServiceDocument } from '../../../store/delivery/services.ts';
import type { Resource } from '../../records/resource.ts';
import { shown } from '../../../domain/shown.ts';

/** A service without what the product keeps for itself. */
function present(service: ServiceDocument): Record<string, unknown> {
  const { _id, organization, name, type, user, params, status, statusReason } = service;
  const { verifiedAt, failingSince, createdBy, createdAt, updatedAt } = service;
  const when = { verifiedAt, failingSince, createdBy, createdAt, updatedAt };
  return shown({ ...{ _id, organization, name, type, user, params, status, statusReason }, ...when });
}

export const services: Resource<ServiceDocument> = { path: '/services', what: 'The service', present };
