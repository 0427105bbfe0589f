import { findDelivery } from '../../../store/delivery/find-deliveries.ts';
import { foundAnswer } from '../../records/answers.ts';
import type { Answer, Api, ApiRequest } from '../../request.ts';
import { deliveries } from './present.ts';

/** GET /deliveries/{id}: with each attempt (spec 7). */
export function getDelivery(request: ApiRequest, api: Api): Promise<Answer> {
  const { principal, id } = request;
  return foundAnswer(deliveries, request, () => findDelivery(principal.reach, id), api);
}
