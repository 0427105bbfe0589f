import Type from 'typebox';
import { about, named, oneOf, patchOf } from '../../../schema/kinds.ts';
import { SERVICE_STATUSES } from '../../../domain/events/subscriptions.ts';
import {
  findService,
  findServicesByIds,
  listServices,
  serviceRecord,
} from '../../../store/delivery/services.ts';
import { recordSource } from '../../records/resource.ts';

const { organization: _, ...changeable } = serviceRecord.input.properties;

const servicePatch = named(
  'ServicePatch',
  patchOf(
    // Admins set `disabled` or `active`. Clients may send back the other statuses.
    Type.Object({
      ...changeable,
      status: about(
        oneOf(SERVICE_STATUSES),
        '`disabled` pauses the service. `active` verifies it and sends held deliveries.',
        'disabled',
      ),
    }),
    ['name', 'type', 'params', 'status'],
  ),
);

const queries = { find: findService, findMany: findServicesByIds, list: listServices };

export const services = {
  // Secrets must not be searchable.
  ...recordSource(serviceRecord, queries, [
    'params.secret',
    'params.authToken',
    'params.password',
    'params.clientSecret',
    'params.refreshToken',
  ]),
  patch: servicePatch,
};
