import type { Static } from 'typebox';
import { verificationEnd } from '../../../store/delivery/service-verification.ts';
import { insertServiceWithinBounds } from '../../../store/delivery/service-bounds.ts';
import { waitForCacheExpiry } from '../../../store/delivery/services.ts';
import type { ServiceDocument } from '../../../store/delivery/services.ts';
import { permittedOrganization } from '../../../application/auth/permitted-organization.ts';
import { createdAnswer } from '../../records/answers.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';
import { checkService, checkedParams } from './checks.ts';
import { services } from './resource.ts';
import type { serviceInput } from './schema.ts';
import { verified } from './verify.ts';

/**
 * POST /services: stored, then verified; 201 also where verification fails or takes long (spec
 * 7.2).
 */
export async function createService(
  request: ApiRequest<Static<typeof serviceInput>>,
  api: Api,
): Promise<HandlerResult> {
  const { principal, body, ids, receivedAt } = request;
  await checkService(body, principal);
  const now = new Date(receivedAt);
  const { name, user } = body;
  const service: ServiceDocument = {
    _id: ids.newId(),
    organization: await permittedOrganization(principal, body.organization),
    name,
    type: 'webhook',
    ...(user === undefined ? {} : { user }),
    params: checkedParams(body.params),
    status: 'pending',
    verifyBy: verificationEnd(api.config.webhookTimeoutMs),
    createdBy: principal.user,
    createdAt: now,
    updatedAt: now,
  };
  await insertServiceWithinBounds(service);
  const [asked] = await Promise.all([verified(service, api), waitForCacheExpiry()]);
  return createdAnswer(services, asked ?? service, api);
}
