import { wakeService } from '../../store/delivery-queue.ts';
import { findService, updateService } from '../../store/services.ts';
import type { ServiceDocument } from '../../store/services.ts';
import { recordAnswer } from '../records/answers.ts';
import type { Answer, Api, ApiRequest } from '../request.ts';
import { services } from './present.ts';
import { storeDate } from '../../store/clock.ts';

/** POST /services/{id}/verify: asks the webhook again whether it wants to be one (contract 7). */
export async function verifyService(request: ApiRequest, api: Api): Promise<Answer> {
  const service = await findService(request.principal.reach, request.params['id'] ?? '');
  return recordAnswer(services, service && (await verified(service, request, api)));
}

/** The service after its webhook was asked: active, or failed with the reason. Null if it was removed meanwhile. */
export async function verified(
  { _id, params }: ServiceDocument,
  { principal }: Pick<ApiRequest, 'principal'>,
  { webhooks }: Api,
): Promise<ServiceDocument | null> {
  const verification = await webhooks.verifyWebhook(params.url);
  const service = await updateService(
    principal.reach,
    _id,
    verification.verified
      ? {
          status: 'active',
          statusReason: null,
          verifiedAt: storeDate(),
          failingSince: null,
          failedEvents: null,
        }
      : { status: 'failed', statusReason: verification.reason },
  );
  // What waited for it need not wait for the next look.
  if (service?.status === 'active') await wakeService(_id, storeDate());
  return service;
}
