import Type from 'typebox';
import { SERVICE_STATUSES } from '../../../domain/events/subscriptions.ts';
import { pathsOf } from '../../listing/paths.ts';
import { Id, Name, Reference, Time, Url, oneOf, patchOf, text } from '../../../schema/kinds.ts';

const Params = Type.Object({
  url: Url,
  secret: Type.Optional(text({ max: 512 })),
  events: Type.Optional(Type.Array(text({ max: 256 }), { maxItems: 100 })),
});

/** What a caller says of a service (spec 7.1). */
const fields = {
  name: Name,
  type: text({ max: 64 }),
  organization: Type.Optional(Reference),
  user: Type.Optional(Reference),
  params: Params,
};

export const serviceInput = Type.Object(fields);

const { organization: _, ...changeable } = fields;

export const servicePatch = patchOf(
  // An admin may disable it, and have it verified by asking for active. The others are there so
  // that what was read can be sent back.
  Type.Object({ ...changeable, status: oneOf(SERVICE_STATUSES) }),
  ['name', 'type', 'params', 'status'],
);

/** A service as it is shown. */
export const serviceSchema = Type.Object({
  id: Id,
  ...fields,
  status: oneOf(SERVICE_STATUSES),
  statusReason: Type.Optional(Type.String()),
  verifiedAt: Type.Optional(Time),
  failingSince: Type.Optional(Time),
  createdBy: Type.Optional(Id),
  createdAt: Time,
  updatedAt: Time,
});

/** The fields of services that queries may name. A secret is not searched for. */
export const servicePaths = pathsOf(serviceSchema, ['params.secret']);
