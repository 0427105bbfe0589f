import { removeService as eraseService } from '../../../store/delivery/services.ts';
import { buildRemovedResult } from '../../records/answers.ts';
import { recordTarget, withIfMatch } from '../../records/unless-changed.ts';
import type { HandlerResult, ApiRequest } from '../../request.ts';
import { services } from './resource.ts';

/** DELETE /services/{id}. */
export async function removeService(request: ApiRequest): Promise<HandlerResult> {
  const { principal } = request;
  const removed = await withIfMatch(
    request,
    recordTarget(services, request),
    async ({ _id }, seen) => (await eraseService(principal.reach, _id, seen)) || null,
  );
  return buildRemovedResult(services, removed !== null);
}
