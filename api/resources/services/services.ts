import type { Static } from 'typebox';
import { verificationEnd } from '../../../store/delivery/service-health.ts';
import { insertServiceWithinBounds, assertPatternsFit } from '../../../store/delivery/kept-deliveries.ts';
import {
  waitForCacheExpiry,
  removeService as eraseService,
  findService,
  hasAddress,
} from '../../../store/delivery/services.ts';
import type { ServiceDocument, serviceRecord } from '../../../store/delivery/services.ts';
import { readsMailbox, removeMailbox } from '../../../store/delivery/mailboxes.ts';
import { choosePermittedOrganization } from '../../../application/auth/principal.ts';
import {
  buildCreatedResult,
  buildRecordResult,
  buildRemovedResult,
  recordTarget,
  withIfMatch,
} from '../../records/if-match.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';
import { isChannelType } from '../../../domain/channels/channel-type.ts';
import { disconnectChannel } from '../../../deliveries/channels/verify.ts';
import { findProvider } from '../../../deliveries/channels/providers.ts';
import { buildChannel, isSameSender } from './channel.ts';
import { checkService, normalizeParams, awaitVerification, startVerification, verifyDeps } from './checks.ts';
import { services } from './schema.ts';
import { unprocessable, notFound } from '../../../domain/errors.ts';
import { formerSecretsAfter } from '../../../domain/delivery/signing-secret.ts';
import { storeDate } from '../../../store/cluster/clock.ts';
import { withTimeout } from '../../../platform/concurrency/with-timeout.ts';
import type { Patch } from '../../../store/queries/patch.ts';
import { changeService } from './change.ts';
import Type from 'typebox';
import { parseTime } from '../../../domain/query/values.ts';
import { TimeInput, about, object, oneOf } from '../../../schema/kinds.ts';
import { countPendingSince, redeliverAll, releaseDeleted } from '../../../store/delivery/queue.ts';
import { assertActiveService } from '../deliveries/retry.ts';

/** POST /services: responds 201 even if the verification fails (spec 7.2). */
export async function createService(
  request: ApiRequest<Static<typeof serviceRecord.input>>,
  api: Api,
): Promise<HandlerResult> {
  const { principal, body, ids, receivedAt } = request;
  await checkService(body, principal);
  const now = new Date(receivedAt);
  const { name, user } = body;
  if (isChannelType(body.type)) assertNoBot(user);
  const { type } = body;
  const id = ids.newId();
  const organization = await choosePermittedOrganization(principal, body.organization);
  const fields = isChannelType(type)
    ? await buildChannel(body.params, { id, type, api })
    : { params: normalizeParams(body.params) };
  const service: ServiceDocument = {
    ...{ _id: id, organization, name, type },
    ...(user === undefined ? {} : { user }),
    ...fields,
    ...(hasAddress(fields)
      ? { status: 'pending', verifyBy: verificationEnd(api.config.webhookTimeoutMs) }
      : { status: 'active' }),
    createdBy: principal.user,
    createdAt: now,
    updatedAt: now,
  };
  await insertServiceWithinBounds(service);
  const [asked] = await Promise.all([
    awaitVerification(service, api),
    waitForCacheExpiry(),
    startReading(service, api),
  ]);
  return buildCreatedResult(services, asked ?? service, api);
}

/** Starts to read the mailbox of a channel (spec 15.13). After a failure, a worker starts it. */
async function startReading(service: ServiceDocument, { temporal, log }: Api): Promise<void> {
  if (!readsMailbox(service)) return;
  await temporal.startMailbox(service._id).catch((error: unknown) => {
    log.warn({ err: error, service: service._id }, 'failed to start to read a mailbox');
  });
}

/** A bot narrows the events of a webhook. A channel receives only messages that it carries. */
function assertNoBot(user: string | null | undefined): void {
  if (user != null) throw unprocessable('only webhooks have a bot', 'user');
}

type ServicePatch = Static<typeof services.patch>;

type StatusTransition = 'paused' | 'verified' | 'pulled' | null;

const PULLED = {
  status: 'active',
  statusReason: null,
  paused: null,
  verifyBy: null,
  verifiedAt: null,
} as const;
const PAUSED = { status: 'disabled', statusReason: 'Paused by an admin.', paused: true } as const;

/**
 * PATCH /services/{id}: verifies a changed url unless the service is paused (spec 7.1). A replaced
 * secret also signs deliveries for a day.
 */
export async function updateService(request: ApiRequest<ServicePatch>, api: Api): Promise<HandlerResult> {
  const { principal, body } = request;
  await checkService(body, principal);
  const taken: { turn: StatusTransition; found?: ServiceDocument } = { turn: null };
  const service = await changeService(request, (found) => {
    taken.turn = chooseTransition(body, found);
    taken.found = found;
    return buildServicePatch(request, { found, turn: taken.turn, api });
  });
  const { found } = taken;
  if (found && body.params && !isSameSender(service.params, found.params)) await disconnect(found, api);
  await startReading(service, api);
  return buildRecordResult(
    services,
    taken.turn === 'verified' ? await awaitVerification(service, api) : service,
  );
}

function chooseTransition({ status, params }: ServicePatch, found: ServiceDocument): StatusTransition {
  const activation = hasAddress({ params: params ?? found.params }) ? 'verified' : 'pulled';
  if (status === undefined || status === found.status) {
    const mends = found.touchpoint !== undefined && found.status === 'failed' && params !== undefined;
    const isChanged = mends || isReconnected(params, found) || hasNewUrl(params, found);
    return isChanged && !found.paused && status !== 'disabled' ? activation : null;
  }
  if (status === 'disabled') return 'paused';
  if (status === 'active') return activation;
  throw unprocessable('only active and disabled can be asked for', 'status');
}

function isReconnected(params: ServicePatch['params'], found: ServiceDocument): boolean {
  return params !== undefined && findProvider(found.type) !== undefined;
}

function hasNewUrl(params: ServicePatch['params'], found: ServiceDocument): boolean {
  return params !== undefined && params.url !== found.params.url;
}

async function buildServicePatch(
  request: ApiRequest<ServicePatch>,
  { found, turn, api }: { found: ServiceDocument; turn: StatusTransition; api: Api },
): Promise<Patch<ServiceDocument>> {
  const { type = found.type, status: _, params: given, ...fields } = request.body;
  const { user = found.user } = fields;
  if (found.touchpoint !== undefined) assertNoBot(fields.user);
  if (type !== found.type) throw unprocessable(`cannot be changed: it is ${found.type}`, 'type');
  const changed = given && (await buildParams(given, found, api));
  return {
    ...fields,
    ...changed,
    // Failures of the previous url do not count.
    ...(hasNewUrl(given, found) ? { answeredAt: null, failingSince: null, failedEvents: null } : {}),
    ...(turn === 'paused' ? PAUSED : {}),
    ...(turn === 'pulled' ? PULLED : {}),
    ...(turn === 'verified' ? await startVerification(user ? { user } : {}, request, api) : {}),
  };
}

async function buildParams(
  given: ServiceDocument['params'],
  found: ServiceDocument,
  api: Api,
): Promise<Patch<ServiceDocument>> {
  const { _id: id, type } = found;
  if (isChannelType(type))
    return { dkimRecord: null, mailbox: null, ...(await buildChannel(given, { id, type, api, found })) };
  const params = normalizeParams(given);
  await assertPatternsFit(found, params);
  return { params, formerSecrets: formerSecretsAfter(found, params.secret, storeDate()) };
}

export async function removeService(request: ApiRequest, api: Api): Promise<HandlerResult> {
  const { principal } = request;
  const removed = await withIfMatch(request, recordTarget(services, request), async (found, seen) => {
    if (!(await eraseService(principal.reach, found._id, seen))) return null;
    if (found.touchpoint !== undefined) await releaseDeleted(found._id, storeDate());
    if (found.params.imapUrl !== undefined) await removeMailbox(found._id);
    return found;
  });
  if (removed) await disconnect(removed, api);
  return buildRemovedResult(services, removed !== null);
}

const DONE = ['delivered', 'failed', 'skipped'] as const;
const MISSED = ['failed', 'skipped'] as const;

/** After this time the request returns. */
const DISCONNECT_MS = 5_000;

async function disconnect(service: ServiceDocument, api: Api): Promise<void> {
  await withTimeout(disconnectChannel(service, verifyDeps(api)), DISCONNECT_MS, () => Promise.resolve());
}

export const replayInput = object('ReplayInput', 'The deliveries to send again.', {
  since: about(TimeInput, 'The start of the range, in ISO 8601.', '2026-03-14T00:00:00Z'),
  status: Type.Optional(
    about(oneOf(DONE), 'The status of the deliveries. Default: all that never arrived.', 'failed'),
  ),
});

export const replaySchema = object('Replay', 'The result of a replay.', {
  replayed: about(Type.Integer(), 'The number of deliveries that this request queued.', 3),
  pending: about(Type.Integer(), 'The number of deliveries since that time that were already pending.', 0),
});

/** POST /services/{id}/replay (spec 7.11) */
export async function replayService({
  principal,
  id,
  body: { since, status },
}: ApiRequest<Static<typeof replayInput>>): Promise<HandlerResult> {
  const service = await findService(principal.reach, id);
  if (!service) throw notFound('The service');
  assertActiveService(service);
  const statuses = status ? [status] : MISSED;
  const from = parseTime(since, 'since');
  const pending = await countPendingSince(service._id, from);
  const replayed = await redeliverAll(service._id, { since: from, statuses }, storeDate());
  return { status: 200, body: { replayed, pending } };
}
