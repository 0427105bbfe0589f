import { listServices as findServices } from '../../../store/delivery/services.ts';
import { listAnswer } from '../../records/answers.ts';
import type { Answer, Api, ApiRequest } from '../../request.ts';
import { services } from './present.ts';
import { servicePaths } from './schema.ts';

/** GET /services. */
export function listServices(request: ApiRequest, api: Api): Promise<Answer> {
  const find = (query: Parameters<typeof findServices>[1]) => findServices(request.principal.reach, query);
  return listAnswer(services, request, { api, paths: servicePaths, find });
}
