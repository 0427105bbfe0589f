import Type from 'typebox';
import { SERVICE_STATUSES } from '../../../domain/events/subscriptions.ts';
import { buildPaths } from '../../listing/paths.ts';
import {
  Name,
  OwnedBy,
  Owner,
  Time,
  Url,
  about,
  idOf,
  madeAndChanged,
  named,
  object,
  oneOf,
  patchOf,
  referenceTo,
  text,
} from '../../../application/schema/kinds.ts';
import { findService, findServicesByIds, listServices } from '../../../store/delivery/services.ts';
import type { ServiceDocument } from '../../../store/delivery/services.ts';
import type { RecordSource } from '../../records/resource.ts';
import { presentRecord } from '../../../domain/record-fields.ts';

const Params = object('WebhookParams', 'Where a webhook is, and what it hears.', {
  url: about(
    Url,
    'Where events are posted to. Credentials in it become an Authorization header.',
    'https://example.com/hook',
  ),
  secret: Type.Optional(
    about(
      text({ max: 512 }),
      'What requests are signed with: `whsec_` and base64 of at least 16 bytes, or another text of at least 16 bytes.',
      'whsec_c2VjcmV0LW9mLWF0LWxlYXN0LTI0LWJ5dGVz',
    ),
  ),
  events: Type.Optional(
    about(
      Type.Array(text({ max: 256 }), { maxItems: 100 }),
      'Patterns `resource.operation.conversationType.messageType.role`; `*` is any word, a shorter pattern is a prefix. Everything where absent.',
      ['message.create.*.chat.contact'],
    ),
  ),
});

const STATUS =
  'Whether it is sent events: `pending` is being verified, `failed` was refused (its events wait), `disabled` is out of use.';

/** See spec 7.1. */
const fields = {
  name: about(Name, 'The name.', 'Booking bot'),
  type: about(text({ max: 64 }), 'Always `webhook`.', 'webhook'),
  organization: OwnedBy,
  user: Type.Optional(
    referenceTo('bots', 'A bot: then it hears what that bot takes part in, and not its own messages.'),
  ),
  params: Params,
};

export const serviceInput = object('ServiceInput', 'A webhook to register.', fields);

const { organization: _, ...changeable } = fields;

export const servicePatch = named(
  'ServicePatch',
  patchOf(
    // Admins set `disabled` or `active`. The rest lets clients send back what they have read.
    Type.Object({
      ...changeable,
      status: about(
        oneOf(SERVICE_STATUSES),
        '`disabled` pauses it, `active` verifies it and sends what has waited.',
        'disabled',
      ),
    }),
    ['name', 'type', 'params', 'status'],
  ),
);

export const serviceSchema = object('Service', 'A webhook.', {
  id: idOf('services', 'Its id.'),
  ...fields,
  organization: Owner,
  status: about(oneOf(SERVICE_STATUSES), STATUS, 'active'),
  statusReason: Type.Optional(
    about(Type.String(), 'Why it is not active, in words.', 'The address answered 404.'),
  ),
  verifiedAt: Type.Optional(about(Time, 'When it was verified last.')),
  failingSince: Type.Optional(about(Time, 'Since when no event has arrived.')),
  ...madeAndChanged,
});

/** Secrets must not be searchable. */
const servicePaths = buildPaths(serviceSchema, ['params.secret']);

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
