import type { Static } from 'typebox';
import { verificationEnd } from '../../../store/delivery/service-verification.ts';
import { insertServiceWithinBounds } from '../../../store/delivery/service-bounds.ts';
import { waitForCacheExpiry } from '../../../store/delivery/services.ts';
import type { ServiceDocument } from '../../../store/delivery/services.ts';
import { choosePermittedOrganization } from '../../../application/auth/permitted-organization.ts';
import { buildCreatedResult } from '../../records/answers.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';
import { checkService, normalizeParams } from './checks.ts';
import { services } from './resource.ts';
import type { serviceInput } from './schema.ts';
import { awaitVerification } from './verify.ts';

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
