import { setTimeout as sleep } from 'node:timers/promises';
import Type from 'typebox';
import { Name, OwnedBy, Time, about, oneOf, referenceTo, text } from '../../schema/kinds.ts';
import { answerOnly, declareRecord, internal } from '../../schema/record.ts';
import { SERVICE_STATUSES } from '../../domain/events/subscriptions.ts';
import type { Subscription } from '../../domain/events/subscriptions.ts';
import { defineRecordModel } from '../connection/model.ts';
import type { FormerSecret } from '../../domain/delivery/signing-secret.ts';
import { definedFields } from '../../domain/record-fields.ts';
import { unchangedFilter, toUpdateOperators } from '../queries/patch.ts';
import { ttlCache } from '../queries/ttl-cache.ts';
import { findPage } from '../queries/listing.ts';
import type { ListQuery, Page } from '../queries/listing.ts';
import type { Patch } from '../queries/patch.ts';
import { insertInto } from '../records/organization-removal.ts';
import type { RecordDocument } from '../connection/model.ts';
import { organizationContext } from '../records/organizations.ts';
import { organizationsWithin, visibleOrNull, filterVisible } from '../queries/reach.ts';
import type { Reach } from '../queries/reach.ts';
import { newId } from '../queries/identifier.ts';
import { DkimRecord, MailboxHealth, Params } from './service-params.ts';

/** A webhook (spec 7.1) or a channel (spec 15.1). */
export const serviceRecord = declareRecord({
  resource: 'services',
  title: 'Service',
  description: 'A webhook or a channel.',
  creates: 'A webhook or a channel to register.',
  fields: {
    name: about(Name, 'The name.', 'Booking bot'),
    type: about(
      text({ max: 64 }),
      '`webhook`, or the type of a channel: `api`, `twilio` or `email`.',
      'webhook',
    ),
    organization: OwnedBy,
    user: Type.Optional(
      referenceTo(
        'bots',
        'A bot. The service then receives only events that involve the bot, without its own messages.',
      ),
    ),
    params: Params,
    touchpoint: answerOnly(Type.Optional(about(Type.String(), 'The touchpoint of a channel.', 'sms'))),
    secrets: answerOnly(
      Type.Optional(
        about(
          Type.Array(Type.String()),
          'The names of the secret params of a channel, which are never returned.',
          ['secret'],
        ),
      ),
    ),
    verifiedAs: answerOnly(
      Type.Optional(
        about(
          Type.String(),
          'The names of the account and the number at the provider of a channel.',
          'Example Ltd, +31201234567',
        ),
      ),
    ),
    inboundUrl: answerOnly(
      Type.Optional(
        about(
          Type.String(),
          'The address for posts of the provider of a channel. Parlance sets the address at Twilio. For type `email`, set the address at a provider that posts mail.',
          'https://chat.example.com/channels/…/inbound',
        ),
      ),
    ),
    inboundAddress: answerOnly(
      Type.Optional(
        about(
          Type.String(),
          'The address at which a channel of type `email` receives mail, if Parlance receives mail. Forward the address of the channel to this address.',
          'channel+65f2a1c09b1d8e4f7a3c5d01.abcdefghijklmnop@in.example.com',
        ),
      ),
    ),
    dkimRecord: answerOnly(Type.Optional(DkimRecord)),
    mailbox: answerOnly(Type.Optional(MailboxHealth)),
    takesMedia: internal(Type.Optional(Type.Boolean())),
    // Encrypted, by name. `before`: former settings of the provider.
    sealed: internal(Type.Optional(Type.Unsafe<Record<string, string>>({ type: 'object' }))),
    status: answerOnly(
      about(
        oneOf(SERVICE_STATUSES),
        'The status. `active`: receives events. `pending`: being verified. `failed`: refused, and its events wait. `disabled`: receives no events.',
        'active',
      ),
    ),
    statusReason: answerOnly(
      Type.Optional(
        about(
          Type.String(),
          'The reason why the service is not active, in words.',
          'The address responded with 404.',
        ),
      ),
    ),
    verifiedAt: answerOnly(Type.Optional(about(Time, 'The time of the last verification.'))),
    failingSince: answerOnly(Type.Optional(about(Time, 'The time since which no event has arrived.'))),
    failedEvents: internal(Type.Optional(Type.Integer())),
    // Latest first.
    formerSecrets: internal(Type.Optional(Type.Array(Type.Unsafe<FormerSecret>({ type: 'object' })))),
    // Time of the first accepted delivery since the last failure or verification.
    answeredAt: internal(Type.Optional(Time)),
    // Disabled by an admin: pending deliveries wait.
    paused: internal(Type.Optional(Type.Literal(true))),
    // Set when deliveries may be held. Changes whenever more may be held.
    heldBack: internal(Type.Optional(Type.String())),
    // After this time a worker may take over the verification.
    verifyBy: internal(Type.Optional(Time)),
  },
});

export type ServiceDocument = RecordDocument<typeof serviceRecord>;

/** A service to whose address events are sent. The events of other services are pulled. */
export type AddressedService = Pick<ServiceDocument, '_id'> & { params: { url: string } };

export function hasAddress<S extends Pick<ServiceDocument, 'params'>>(
  service: S,
): service is S & { params: { url: string } } {
  return service.params.url !== undefined;
}

export type SendableService = ServiceDocument & AddressedService;

export function isSendableTo(service: ServiceDocument | null): service is SendableService {
  return service?.status === 'active' && hasAddress(service);
}

const WITH_ADDRESS = { 'params.url': { $exists: true } } as const;

export const serviceModel = defineRecordModel<ServiceDocument>('Service', serviceRecord, [
  [{ organization: 1, status: 1 }],
  [{ heldBack: 1 }, { sparse: true }],
  [{ verifyBy: 1 }, { sparse: true }],
  [{ user: 1 }, { sparse: true }],
  [{ 'params.imapUrl': 1 }, { sparse: true }],
  [{ touchpoint: 1, organization: 1 }, { partialFilterExpression: { touchpoint: { $exists: true } } }],
]);

/** A process that changes a service waits until the old service has left all caches. */
export const SUBSCRIBER_CACHE_MS = 250;
const subscriberCache = ttlCache({ maxAgeMs: SUBSCRIBER_CACHE_MS, max: 10_000, load: loadSubscribers });

/**
 * Returns possible subscribers in any status. `line` is the tenant path. After
 * `waitForCacheExpiry`, a changed service receives the next event.
 */
export function findSubscribers(line: readonly string[]): Promise<Subscription[]> {
  return subscriberCache.get(line.join('#'));
}

export async function findOrganizationSubscribers(organization: string): Promise<Subscription[]> {
  const line = await organizationContext(organization);
  return findSubscribers(line?.path ?? [organization]);
}

async function loadSubscribers(line: string): Promise<Subscription[]> {
  const found = await serviceModel.collection
    .find(
      { organization: { $in: line.split('#') } },
      {
        projection: {
          organization: 1,
          status: 1,
          user: 1,
          failingSince: 1,
          touchpoint: 1,
          'params.events': 1,
          'params.url': 1,
        },
      },
    )
    .toArray();
  return found.map(toSubscription);
}

export function toSubscription(service: ServiceDocument): Subscription {
  const { _id: id, organization, status, user, failingSince, params, touchpoint } = service;
  if (touchpoint !== undefined) {
    return { id, organization, status, channel: true, ...definedFields({ failing: failingSince && true }) };
  }
  const { events } = params;
  const pulled = hasAddress(service) ? undefined : (true as const);
  return {
    id,
    organization,
    status,
    ...definedFields({ user, failing: failingSince && true, pulled, events }),
  };
}

export async function findService(reach: Reach, id: string): Promise<ServiceDocument | null> {
  return visibleOrNull(reach, await serviceModel.findById(id).lean<ServiceDocument>());
}

export async function findBotService(bot: string): Promise<ServiceDocument | null> {
  return serviceModel.findOne({ user: bot }).sort({ _id: 1 }).lean<ServiceDocument>();
}

export async function findServicesByIds(reach: Reach, ids: readonly string[]): Promise<ServiceDocument[]> {
  return filterVisible(reach, await serviceModel.find({ _id: { $in: [...ids] } }).lean<ServiceDocument[]>());
}

export async function listServices(reach: Reach, query: ListQuery): Promise<Page<ServiceDocument>> {
  return findPage(serviceModel, { organization: { $in: await organizationsWithin(reach) } }, query);
}

/** Throws DomainError `forbidden` if the organization is removed concurrently. */
export async function insertService(service: ServiceDocument): Promise<void> {
  const { _id, organization } = service;
  await insertInto(organization, () => serviceModel.create([service]), {
    takeBack: () => serviceModel.deleteOne({ _id, organization }),
  });
}

/** Resolves when every process sees earlier changes of services. */
export function waitForCacheExpiry(): Promise<void> {
  return sleep(SUBSCRIBER_CACHE_MS);
}

/**
 * Resolves once every process sees the change. Returns null if the service is out of reach, differs
 * from `seen`, or has another url or status than `found`.
 */
export async function updateService(
  reach: Reach,
  found: Pick<ServiceDocument, '_id' | 'status' | 'params'>,
  patch: Patch<ServiceDocument>,
  seen?: ServiceDocument,
): Promise<ServiceDocument | null> {
  const service = await findService(reach, found._id);
  if (!service) return null;
  const { organization } = service;
  const same = {
    _id: found._id,
    organization,
    status: found.status,
    'params.url': found.params.url ?? null,
    ...unchangedFilter(serviceModel, seen),
  };
  const updated = await serviceModel
    .findOneAndUpdate(same, toUpdateOperators(patch), { returnDocument: 'after' })
    .lean<ServiceDocument>();
  if (updated) await waitForCacheExpiry();
  return updated;
}

/** Returns false if the service is out of reach or differs from `seen`. */
export async function removeService(reach: Reach, id: string, seen?: ServiceDocument): Promise<boolean> {
  const service = await findService(reach, id);
  if (!service) return false;
  const same = { _id: id, organization: service.organization, ...unchangedFilter(serviceModel, seen) };
  const { deletedCount } = await serviceModel.deleteOne(same);
  return deletedCount > 0;
}

export interface ReleaseMark {
  service: string;
  heldBack: string;
}

export function newReleaseMark(): { heldBack: string } {
  return { heldBack: newId() };
}

export async function noteHeldBack(service: string): Promise<void> {
  await serviceModel.collection.updateOne({ _id: service }, { $set: newReleaseMark() });
}

export async function markForRelease(services: readonly string[]): Promise<void> {
  const active = await serviceModel.collection
    .find({ _id: { $in: [...services] }, status: 'active', ...WITH_ADDRESS }, { projection: { _id: 1 } })
    .toArray();
  for (const { _id } of active) await noteHeldBack(_id);
}

export async function findServicesToRelease(): Promise<ReleaseMark[]> {
  const found = await serviceModel.collection
    .find({ heldBack: { $exists: true }, status: 'active', ...WITH_ADDRESS }, { projection: { heldBack: 1 } })
    .toArray();
  return found.map(({ _id, heldBack }) => ({ service: _id, heldBack: String(heldBack) }));
}

/** Keeps the mark if more deliveries may have been held since. */
export async function clearReleaseMark({ service, heldBack }: ReleaseMark): Promise<void> {
  await serviceModel.collection.updateOne(
    { _id: service, heldBack, status: 'active' },
    { $unset: { heldBack: '' } },
  );
}
