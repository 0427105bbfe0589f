import type { Static } from 'typebox';
import { verificationEnd } from '../../../store/delivery/service-health.ts';
import { insertServiceWithinBounds, assertPatternsFit } from '../../../store/delivery/kept-deliveries.ts';
import {
  waitForCacheExpiry,
  removeService as eraseService,
  findService,
} from '../../../store/delivery/services.ts';
import type { ServiceDocument, serviceRecord } from '../../../store/delivery/services.ts';
import { choosePermittedOrganization } from '../../../application/auth/principal.ts';
import {
  buildCreatedResult,
  buildRecordResult,
  buildRemovedResult,
  recordTarget,
  withIfMatch,
} from '../../records/if-match.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';
import { checkService, normalizeParams, awaitVerification, startVerification } from './checks.ts';
import { services } from './schema.ts';
import { unprocessable, notFound } from '../../../domain/errors.ts';
import { formerSecretsAfter } from '../../../domain/delivery/signing-secret.ts';
import { storeDate } from '../../../store/cluster/clock.ts';
import type { Patch } from '../../../store/queries/patch.ts';
import { changeService } from './change.ts';
import Type from 'typebox';
import { parseTime } from '../../../domain/query/values.ts';
import { TimeInput, about, object, oneOf } from '../../../schema/kinds.ts';
import { countPendingSince, redeliverAll } from '../../../store/delivery/queue.ts';
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
  const service: ServiceDocument = {
    _id: ids.newId(),
    organization: await choosePermittedOrganization(principal, body.organization),
    name,
    type: 'webhook',
    ...(user === undefined ? {} : { user }),
    params: normalizeParams(body.params),
    status: 'pending',
    verifyBy: verificationEnd(api.config.webhookTimeoutMs),
    createdBy: principal.user,
    createdAt: now,
    updatedAt: now,
  };
  await insertServiceWithinBounds(service);
  const [asked] = await Promise.all([awaitVerification(service, api), waitForCacheExpiry()]);
  return buildCreatedResult(services, asked ?? service, api);
}

type ServicePatch = Static<typeof services.patch>;

type StatusTransition = 'paused' | 'verified' | null;

const PAUSED = { status: 'disabled', statusReason: 'Paused by an admin.', paused: true } as const;

/**
 * PATCH /services/{id}: verifies a changed url unless the service is paused (spec 7.1). A replaced
 * secret also signs deliveries for a day.
 */
export async function updateService(request: ApiRequest<ServicePatch>, api: Api): Promise<HandlerResult> {
  const { principal, body } = request;
  await checkService(body, principal);
  const taken = { turn: null as StatusTransition };
  const service = await changeService(request, (found) => {
    taken.turn = chooseTransition(body, found);
    return buildServicePatch(request, { found, turn: taken.turn, api });
  });
  return buildRecordResult(
    services,
    taken.turn === 'verified' ? await awaitVerification(service, api) : service,
  );
}

function chooseTransition({ status, params }: ServicePatch, found: ServiceDocument): StatusTransition {
  if (status === undefined || status === found.status) {
    return hasNewUrl(params, found) && !found.paused && status !== 'disabled' ? 'verified' : null;
  }
  if (status === 'disabled') return 'paused';
  if (status === 'active') return 'verified';
  throw unprocessable('only active and disabled can be asked for', 'status');
}

function hasNewUrl(params: ServicePatch['params'], found: ServiceDocument): boolean {
  return params !== undefined && params.url !== found.params.url;
}

async function buildServicePatch(
  request: ApiRequest<ServicePatch>,
  { found, turn, api }: { found: ServiceDocument; turn: StatusTransition; api: Api },
): Promise<Patch<ServiceDocument>> {
  const { type: _, status: __, params: given, ...fields } = request.body;
  const { user = found.user } = fields;
  const params = given && normalizeParams(given);
  await assertPatternsFit(found, params);
  return {
    ...fields,
    ...(params ? { params, formerSecrets: formerSecretsAfter(found, params.secret, storeDate()) } : {}),
    // Failures of the previous url do not count.
    ...(hasNewUrl(params, found) ? { answeredAt: null, failingSince: null, failedEvents: null } : {}),
    ...(turn === 'paused' ? PAUSED : {}),
    ...(turn === 'verified' ? await startVerification(user ? { user } : {}, request, api) : {}),
  };
}

export async function removeService(request: ApiRequest): Promise<HandlerResult> {
  const { principal } = request;
  const removed = await withIfMatch(
    request,
    recordTarget(services, request),
    async ({ _id }, seen) => (await eraseService(principal.reach, _id, seen)) || null,
  );
  return buildRemovedResult(services, removed !== null);
}

const DONE = ['delivered', 'failed', 'skipped'] as const;
const MISSED = ['failed', 'skipped'] as const;

export const replayInput = object('ReplayInput', 'What to send again.', {
  since: about(TimeInput, 'From when on: a time, ISO 8601.', '2026-03-14T00:00:00Z'),
  status: Type.Optional(
    about(oneOf(DONE), 'Those of this status; where absent, those that never arrived.', 'failed'),
  ),
});

export const replaySchema = object('Replay', 'What is sent again.', {
  replayed: about(Type.Integer(), 'How many were queued by this request.', 3),
  pending: about(Type.Integer(), 'How many of the same time were pending anyway.', 0),
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
