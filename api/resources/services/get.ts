import { findService } from '../../../store/delivery/services.ts';
import { foundAnswer } from '../../records/answers.ts';
import type { Answer, Api, ApiRequest } from '../../request.ts';
import { services } from './present.ts';

/** GET /services/{id}. */
export function getService(request: ApiRequest, api: Api): Promise<Answer> {
  const { principal, id } = request;
  return foundAnswer(services, request, () => findService(principal.reach, id), api);
}
