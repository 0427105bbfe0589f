import { withTimeout } from '../../../platform/concurrency/with-timeout.ts';
import { unprocessable } from '../../../domain/refusal.ts';
import type { Patch } from '../../../store/queries/patch.ts';
import { findReceiver } from '../../../store/delivery/service-health.ts';
import { noteVerification, verificationEnd } from '../../../store/delivery/service-verification.ts';
import type { ServiceDocument } from '../../../store/delivery/services.ts';
import { findUser } from '../../../store/accounts/users.ts';
import { buildRecordResult } from '../../records/answers.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';
import { changeService } from './change.ts';
import { services } from './resource.ts';

/**
 * A request waits no longer for a webhook that takes its time: it is answered as it stands, and the
 * verification goes on.
 */
const TIMEOUT_MS = 5_000;

/**
 * POST /services/{id}/verify: asks the webhook again whether it wants to be one (spec 7.2). One
 * that is in use stays so until it refuses.
 */
export async function verifyService(request: ApiRequest, api: Api): Promise<HandlerResult> {
  const service = await changeService(request, async (found) => {
    const { verifyBy, ...begun } = await startVerification(found, request, api);
    return found.status === 'active' ? { verifyBy } : { verifyBy, ...begun };
  });
  return buildRecordResult(services, await awaitVerification(service, api));
}

/**
 * What is written of a service that is going to be verified; what comes meanwhile waits for it.
 * Throws DomainError `unprocessable` where its bot is gone.
 */
export async function startVerification(
  { user }: Pick<ServiceDocument, 'user'>,
  { principal }: Pick<ApiRequest, 'principal'>,
  { config }: Pick<Api, 'config'>,
) {
  if (user !== undefined && !(await findUser(principal.reach, user))) {
    throw unprocessable('its bot was deleted: name another one first', 'user');
  }
  return {
    status: 'pending',
    statusReason: null,
    paused: null,
    verifyBy: verificationEnd(config.webhookTimeoutMs),
  } as const satisfies Patch<ServiceDocument>;
}

/**
 * The service after its webhook was asked: active, or failed with the reason; where that takes
 * long, as it is until then. Null if it was removed meanwhile.
 */
export function awaitVerification(service: ServiceDocument, api: Api): Promise<ServiceDocument | null> {
  return withTimeout(runVerification(service, api), TIMEOUT_MS, () => findReceiver(service._id));
}

async function runVerification(
  service: ServiceDocument,
  { webhooks, log }: Api,
): Promise<ServiceDocument | null> {
  try {
    const verification = await webhooks.verifyWebhook(service.params.url);
    return await noteVerification(service, verification.verified ? null : verification.reason);
  } catch (error) {
    // This process ends, or the store does not answer: a worker verifies it in a while.
    log.warn({ err: error, service: service._id }, 'a webhook could not be verified');
    return service;
  }
}
