import { listDeliveries as findDeliveries } from '../../../store/delivery/find-deliveries.ts';
import { listAnswer } from '../../records/answers.ts';
import type { Answer, Api, ApiRequest } from '../../request.ts';
import { listedDeliveries } from './present.ts';
import { deliveryPaths } from './schema.ts';

/** GET /deliveries (spec 7). */
export function listDeliveries(request: ApiRequest, api: Api): Promise<Answer> {
  const find = (query: Parameters<typeof findDeliveries>[1]) =>
    findDeliveries(request.principal.reach, query);
  return listAnswer(listedDeliveries, request, { api, paths: deliveryPaths, find });
}
