import type { Static } from 'typebox';
import { unprocessable } from '../../../domain/refusal.ts';
import { formerSecretsAfter } from '../../../domain/delivery/secret-rotation.ts';
import { assertPatternsFit } from '../../../store/delivery/service-bounds.ts';
import { storeDate } from '../../../store/cluster/clock.ts';
import type { Patch } from '../../../store/queries/patch.ts';
import type { ServiceDocument } from '../../../store/delivery/services.ts';
import { buildRecordResult } from '../../records/answers.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';
import { changeService } from './change.ts';
import { checkService, normalizeParams } from './checks.ts';
import { services } from './resource.ts';
import type { servicePatch } from './schema.ts';
import { startVerification, awaitVerification } from './verify.ts';

type ServicePatch = Static<typeof servicePatch>;

/** What a change means for the use of a service. */
type StatusTransition = 'paused' | 'verified' | null;

const PAUSED = { status: 'disabled', statusReason: 'Paused by an admin.', paused: true } as const;

/**
 * PATCH /services/{id}: params are replaced as a whole; a changed url is verified anew, and a
 * changed secret signs beside the former one for a day (spec 7.1, 7.7). `disabled` pauses the
 * service, `active` verifies it; a paused one stays so, whatever its url.
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
    // Nobody knows yet how the new one answers.
    ...(hasNewUrl(params, found) ? { answeredAt: null, failingSince: null, failedEvents: null } : {}),
    ...(turn === 'paused' ? PAUSED : {}),
    ...(turn === 'verified' ? await startVerification(user ? { user } : {}, request, api) : {}),
  };
}
