import { findOrganization } from '../../../store/records/find-organizations.ts';
import { foundAnswer } from '../../records/answers.ts';
import type { Answer, Api, ApiRequest } from '../../request.ts';
import { organizations } from './present.ts';

/** GET /organizations/{id}. */
export function getOrganization(request: ApiRequest, api: Api): Promise<Answer> {
  const { principal, id } = request;
  return foundAnswer(organizations, request, () => findOrganization(principal.reach, id), api);
}
